/* Reading the peers' files, making jobs, and measuring differences. */
#include "compare.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../forcefield/spec.h"

/* Files. */

bool peer_path(const char *name, char path[PATH_SIZE])
{
    const char *shared = getenv("AMPHI_SHARED");

    snprintf(path, PATH_SIZE, "%s/reference/%s", shared != NULL ? shared : "../shared", name);
    if (access(path, R_OK) == 0)
        return true;
    print_message("SKIPPED: no reference data at %s\n", path);
    return false;
}

Table *table_open(const char *folder, const char *name)
{
    Table *t = amphi_alloc(1, sizeof *t);
    char   path[2 * PATH_SIZE];

    assert_non_null(t);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    t->file = fopen(path, "r");
    if (t->file == NULL) {
        snprintf(path, sizeof path, "zcat '%s/%s.gz'", folder, name);
        t->file    = popen(path, "r");
        t->is_pipe = true;
    }
    if (t->file == NULL)
        fail_msg("%s/%s cannot be opened", folder, name);
    return t;
}

bool table_next(Table *t)
{
    char *rest = NULL;

    do
        if (fgets(t->line, sizeof t->line, t->file) == NULL)
            return false;
    while (t->line[0] == '#' || t->line[0] == '\n');
    if (strchr(t->line, '\n') == NULL)
        fail_msg("a line longer than %d characters", LINE_SIZE);
    t->n_words = 0;
    for (char *w = strtok_r(t->line, " \t\n", &rest); w != NULL && t->n_words < MAX_WORDS;
         w       = strtok_r(NULL, " \t\n", &rest))
        t->word[t->n_words++] = w;
    return true;
}

double table_number(const Table *t, int column)
{
    char  *end = NULL;
    double value;

    if (column >= t->n_words)
        fail_msg("a line has %d words, column %d is wanted", t->n_words, column);
    value = strtod(t->word[column], &end);
    if (*end != '\0')
        fail_msg("\"%s\" is not a number", t->word[column]);
    return value;
}

void table_vector(const Table *t, int column, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = table_number(t, column + k);
}

void table_close(Table *t)
{
    const int status = t->is_pipe ? pclose(t->file) : fclose(t->file);

    assert_int_equal(status, 0);
    amphi_release(t);
}

Vectors vectors_new(int64_t n)
{
    Vectors v = amphi_alloc(n, sizeof *v);

    assert_non_null(v);
    return v;
}

static void scaled(const Table *t, int column, double unit, double v[3])
{
    table_vector(t, column, v);
    for (int k = 0; k < 3; k++)
        v[k] *= unit;
}

void read_forces(const char *folder, const char *name, int32_t n, int32_t first_id, double unit_f,
                 double unit_t, Vectors force, Vectors torque)
{
    Table  *t      = table_open(folder, name);
    int64_t n_read = 0;

    memset(force, 0, sizeof *force * (size_t)n);
    if (torque != NULL)
        memset(torque, 0, sizeof *torque * (size_t)n);
    while (table_next(t)) {
        const int32_t i = (int32_t)table_number(t, 0) - first_id;

        assert_in_range(i, 0, n - 1);
        scaled(t, 1, unit_f, force[i]);
        if (torque != NULL && t->n_words >= 7)
            scaled(t, 4, unit_t, torque[i]);
        n_read++;
    }
    table_close(t);
    assert_true(n_read > 0);
}

char *file_text(const char *folder, const char *name)
{
    char   path[2 * PATH_SIZE];
    char  *text;
    size_t n;
    FILE  *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "r");
    text = amphi_alloc(1 << 20, 1);
    if (file == NULL || text == NULL)
        fail_msg("%s cannot be opened", path);
    n = fread(text, 1, (1 << 20) - 1, file);
    assert_true(n < (1 << 20) - 1);
    fclose(file);
    return text;
}

/* JSON: objects, numbers and strings without escapes, which is what the peers' files have. */

static const char *behind_string(const char *at)
{
    at = strchr(at + 1, '"');
    if (at == NULL)
        fail_msg("an open string in a JSON file");
    return at + 1;
}

/* The value of the key in the object that begins at text. */
static const char *value_of(const char *text, const char *key)
{
    const size_t n     = strlen(key);
    int          depth = 0;

    for (const char *at = strchr(text, '{'); at != NULL && *at != '\0';) {
        if (*at == '"') {
            const char *end   = behind_string(at);
            const bool  is_it = depth == 1 && (size_t)(end - at) == n + 2 &&
                               strncmp(at + 1, key, n) == 0 && *end == ':';
            if (is_it)
                return end + 1;
            at = end;
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        if (depth == 0)
            break;
        at++;
    }
    fail_msg("no \"%s\" in its JSON object", key);
    return NULL;
}

static const char *value_at_path(const char *text, const char *key, va_list more)
{
    for (; key != NULL; key = va_arg(more, const char *))
        text = value_of(text, key);
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static double number_at(const char *text)
{
    char        *end   = NULL;
    const double value = strtod(text, &end);

    if (end == text)
        fail_msg("no number at \"%.20s\" in a JSON file", text);
    return value;
}

double json_number(const char *text, const char *key, ...)
{
    va_list more;

    va_start(more, key);
    text = value_at_path(text, key, more);
    va_end(more);
    return number_at(text);
}

double json_element(const char *text, int k, const char *key, ...)
{
    va_list more;

    va_start(more, key);
    text = value_at_path(text, key, more);
    va_end(more);
    assert_true(*text == '[');
    for (; k > 0; k--)
        text += 1 + strcspn(text + 1, ",]");
    return number_at(text + 1);
}

/* Job files. */

void folder_make(char path[PATH_SIZE])
{
    const char *tmp = getenv("TMPDIR");

    snprintf(path, PATH_SIZE, "%s/amphi-agree-XXXXXX", tmp != NULL ? tmp : "/tmp");
    assert_non_null(mkdtemp(path));
}

void folder_remove(const char *path)
{
    DIR *folder = opendir(path);

    if (folder == NULL)
        return;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[2 * PATH_SIZE];

        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(name);
    }
    closedir(folder);
    rmdir(path);
}

FILE *folder_create(const char *folder, const char *name)
{
    char  path[2 * PATH_SIZE];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    if (file == NULL)
        fail_msg("%s cannot be written", path);
    return file;
}

void folder_close(FILE *file)
{
    const bool failed = ferror(file) != 0;

    assert_true(fclose(file) == 0 && !failed);
}

void folder_unzip(const char *gz_folder, const char *gz_name, const char *folder, const char *name)
{
    char   command[PATH_SIZE * 2], block[1 << 14];
    size_t n;
    FILE  *in, *out = folder_create(folder, name);

    snprintf(command, sizeof command, "zcat '%s/%s'", gz_folder, gz_name);
    in = popen(command, "r");
    assert_non_null(in);
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        assert_int_equal(fwrite(block, 1, n, out), n);
    assert_int_equal(pclose(in), 0);
    folder_close(out);
}

bool is_left_out(const char *job)
{
    static const char *const parts[] = { "bilayer-2048", "bilayer-23k", "bilayer-128-dopc" };

    for (size_t k = 0; getenv("BRIEF") != NULL && k < sizeof parts / sizeof *parts; k++)
        if (strstr(job, parts[k]) != NULL)
            return true;
    return false;
}

AmphiJob *job_of(const char *folder, const char *name)
{
    const AmphiLoadOptions options = { .data_dir = "." };
    AmphiNotes            *notes   = amphi_notes_new();
    AmphiError             err     = { AMPHI_OK, "" };
    AmphiJob              *job;
    char                   path[2 * PATH_SIZE];

    assert_non_null(notes);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    job = amphi_job_load(path, &options, notes, &err);
    if (job == NULL) {
        amphi_notes_print(notes, stderr, false);
        fail_msg("%s was refused %s", path, err.text);
    }
    amphi_notes_free(notes);
    return job;
}

/* Evaluation. */

static Vectors copy_of(const double (*v)[3], int32_t n)
{
    Vectors copy = vectors_new(n);

    memcpy(copy, v, sizeof *copy * (size_t)n);
    return copy;
}

Evaluation evaluate(const AmphiSystem *system)
{
    const AmphiBackend *backend = amphi_backend_find("reference", AMPHI_DOUBLE);
    const uint32_t      needs   = AMPHI_NEED_ENERGY | AMPHI_NEED_FORCES;
    AmphiState         *state   = NULL;
    AmphiError          err     = { AMPHI_OK, "" };
    AmphiFrame          frame;
    Evaluation          e = { .n_beads = system->n_beads };

    assert_non_null(backend);
    if (backend->open(system, NULL, &state, &err) != AMPHI_OK ||
        backend->compute_forces(state, needs, &err) != AMPHI_OK ||
        backend->read_frame(state, needs, &frame, &err) != AMPHI_OK)
        fail_msg("reference: %s", err.text);
    memcpy(e.energy, frame.term_kJ_mol, sizeof e.energy);
    memcpy(e.virial, frame.term_virial_kJ_mol, sizeof e.virial);
    memcpy(e.count, frame.term_count, sizeof e.count);
    memcpy(e.kinetic, frame.kinetic_kJ_mol, sizeof e.kinetic);
    e.rotation = frame.rotation_kJ_mol;
    e.force    = copy_of(frame.force_kJ_mol_nm, e.n_beads);
    e.torque   = copy_of(frame.torque_kJ_mol, e.n_beads);
    backend->close(state);
    return e;
}

void evaluation_free(Evaluation *e)
{
    amphi_release(e->force);
    amphi_release(e->torque);
    *e = (Evaluation){ .n_beads = 0 };
}

double total_energy(const Evaluation *e)
{
    double sum = 0;

    for (int s = 0; s < AMPHI_TERMS; s++)
        sum += e->energy[s];
    return sum;
}

void total_virial(const Evaluation *e, double w[3][3])
{
    memset(w, 0, 9 * sizeof(double));
    for (int s = 0; s < AMPHI_TERMS; s++)
        for (int k = 0; k < 9; k++)
            w[k / 3][k % 3] += e->virial[s][k / 3][k % 3];
}

static bool is_chosen(uint32_t slots, int32_t kind, bool is_bonded)
{
    return (slots >> amphi_potential_of_kind(kind, is_bonded)->slot & 1U) != 0;
}

AmphiSystem only_terms(const AmphiSystem *system, uint32_t slots, AmphiArena *arena)
{
    const int32_t  n_rules = system->n_types * system->n_types;
    AmphiSystem    copy    = *system;
    AmphiPairRule *rule    = AMPHI_TAKE(arena, AmphiPairRule, n_rules);
    AmphiBond     *bond    = AMPHI_TAKE(arena, AmphiBond, system->n_bonds);

    assert_true(rule != NULL && bond != NULL);
    assert_null(system->anchor_nm); /* anchors would need the same choice */
    for (int32_t k = 0; k < n_rules; k++) {
        const AmphiPairRule *from = &system->pair_rule[k];

        rule[k]         = *from;
        rule[k].n_terms = 0;
        for (int32_t t = 0; t < from->n_terms; t++)
            if (is_chosen(slots, from->term[t].kind, false))
                rule[k].term[rule[k].n_terms++] = from->term[t];
    }
    copy.n_bonds = 0;
    for (int32_t k = 0; k < system->n_bonds; k++)
        if (is_chosen(slots, system->bond_rule[system->bond[k].rule].kind, true))
            bond[copy.n_bonds++] = system->bond[k];
    copy.pair_rule = rule;
    copy.bond      = bond;
    return copy;
}

/* Scans. */

void pair_open(AmphiJob *job, Pair *pair)
{
    const AmphiSystem *s = &job->system;

    assert_int_equal(s->n_beads, 2);
    *pair = (Pair){ .job = job, .system = *s };
    memcpy(pair->position, s->position_nm, sizeof pair->position);
    memcpy(pair->orientation, s->orientation, sizeof pair->orientation);
    memcpy(pair->charge, s->bead_charge_e, sizeof pair->charge);
    memcpy(pair->dipole, s->bead_dipole_e_nm, sizeof pair->dipole);
    pair->system.position_nm      = (const double(*)[3])pair->position;
    pair->system.orientation      = (const double(*)[4])pair->orientation;
    pair->system.velocity_nm_ps   = (const double(*)[3])pair->velocity;
    pair->system.bead_charge_e    = pair->charge;
    pair->system.bead_dipole_e_nm = pair->dipole;
}

void pair_close(Pair *pair)
{
    amphi_job_free(pair->job);
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = { a[0] - b[0], a[1] - b[1], a[2] - b[2] };

    return length_of(d);
}

/* fmax would drop what is not a number. */
static void keep_larger(double *worst, double x)
{
    if (!(x <= *worst))
        *worst = x;
}

void pair_compare(const Pair *pair, const Row *row, Worst *worst)
{
    Evaluation   e = evaluate(&pair->system);
    const double u = total_energy(&e);

    keep_larger(&worst->energy,
                fabs(u - row->energy) / fmax(fabs(row->energy), worst->energy_floor));
    for (int k = 0; k < 2; k++) {
        const double f = fmax(length_of(row->force[k]), worst->force_floor);
        const double t = fmax(length_of(row->torque[k]), worst->torque_floor);

        keep_larger(&worst->force, distance(e.force[k], row->force[k]) / f);
        if (row->has_torque)
            keep_larger(&worst->torque, distance(e.torque[k], row->torque[k]) / t);
    }
    worst->n_rows++;
    worst->n_torques += row->has_torque;
    evaluation_free(&e);
}

bool worst_holds(const char *what, const Worst *worst, double bound)
{
    bool ok = worst->n_rows > 0;

    print_message("  %s, %d rows\n", what, worst->n_rows);
    ok = holds("energy", worst->energy, bound) && ok;
    ok = holds("forces", worst->force, bound) && ok;
    if (worst->n_torques == 0)
        print_message("    %-46s not compared\n", "torques");
    return worst->n_torques == 0 ? ok : holds("torques", worst->torque, bound) && ok;
}

/* Measures. */

double relative(double a, double b)
{
    return b != 0 ? fabs(a - b) / fabs(b) : fabs(a - b);
}

double relative_rms(const double (*a)[3], const double (*b)[3], int64_t n)
{
    double off = 0, all = 0;

    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            off += (a[i][k] - b[i][k]) * (a[i][k] - b[i][k]);
            all += b[i][k] * b[i][k];
        }
    return sqrt(off / all);
}

double relative_tensor(const double a[3][3], const double b[3][3], const bool has[3][3])
{
    double off = 0, all = 0;

    for (int k = 0; k < 9; k++) {
        const double x = a[k / 3][k % 3], y = b[k / 3][k % 3];

        if (!has[k / 3][k % 3])
            continue;
        if (!isfinite(x) || !isfinite(y))
            return (double)NAN;
        off = fmax(off, fabs(x - y));
        all = fmax(all, fabs(y));
    }
    return off / all;
}

bool holds(const char *what, double reached, double bound)
{
    const bool ok = reached <= bound;

    print_message("    %-46s %8.1e %s %.0e\n", what, reached, ok ? "<=" : "ABOVE", bound);
    return ok;
}

double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* q = (1 + z, -y, x, 0) turns z to (x, y, z); below the equator through a half turn about x. */
void turn_to(const double v[3], double q[4])
{
    const double n = length_of(v);

    q[0] = 1;
    q[1] = q[2] = q[3] = 0;
    if (n == 0)
        return;
    const double x = v[0] / n, y = v[1] / n, z = v[2] / n;
    const double norm  = sqrt(2 * (1 + fabs(z)));
    const double up[4] = { 1 + z, -y, x, 0 }, down[4] = { -y, 1 - z, 0, x };

    for (int k = 0; k < 4; k++)
        q[k] = (z < 0 ? down[k] : up[k]) / norm;
}
