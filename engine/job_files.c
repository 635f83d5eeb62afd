/* The files of a job: which may be read, and the force fields that they include.
 *
 * A file may name files below its own folder, after symbolic links, and the installed force fields;
 * nothing else is ever opened.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/snapshot.h"
#include "reader.h"

enum { MAX_DEPTH = 8, MAX_FILES = 64 };

static const int64_t max_forcefield_bytes = 16 << 20;

/* "a/b.xml" to "a", "b.xml" to ".". */
static const char *folder_of(AmphiReader *r, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return ".";
    if (slash == path)
        return "/";
    return amphi_arena_print(r->arena, "%.*s", (int)(slash - path), path);
}

static const char *real_path(AmphiReader *r, const char *path)
{
    char *real = realpath(path, NULL);
    char *out  = real != NULL ? amphi_arena_text(r->arena, real) : NULL;

    free(real); /* from the C library, not ours to keep */
    return out;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t n = strlen(folder);

    return strncmp(path, folder, n) == 0 && (path[n] == '/' || strcmp(folder, "/") == 0);
}

enum { MAX_INSTALLED = 64 };

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the installed force fields, sorted; their number. */
static int32_t list_installed(AmphiReader *r, const char *name[MAX_INSTALLED])
{
    const char *path = amphi_arena_print(r->arena, "%s/forcefield", r->options->data_dir);
    DIR        *dir  = path != NULL ? opendir(path) : NULL;
    int32_t     n    = 0;

    if (dir == NULL)
        return 0;
    for (const struct dirent *e = readdir(dir); e != NULL && n < MAX_INSTALLED; e = readdir(dir)) {
        const size_t length = strlen(e->d_name);

        if (length > 4 && strcmp(e->d_name + length - 4, ".xml") == 0)
            name[n++] = amphi_arena_print(r->arena, "%.*s", (int)length - 4, e->d_name);
    }
    closedir(dir);
    if (amphi_arena_failed(r->arena))
        return 0;
    qsort(name, (size_t)n, sizeof *name, compare_names);
    return n;
}

/* "forcefield:elba forcefield:ssd", and behind it which of them is meant, by the name without
 * .xml. */
static const char *name_installed(AmphiReader *r, const char *name)
{
    const char   *known[MAX_INSTALLED];
    const int32_t n      = r->options->data_dir != NULL ? list_installed(r, known) : 0;
    const size_t  length = strlen(name);
    const bool    is_xml = length > 4 && strcmp(name + length - 4, ".xml") == 0;
    const char *bare = amphi_arena_print(r->arena, "%.*s", (int)(length - (is_xml ? 4 : 0)), name);
    const char *near = bare != NULL ? amphi_nearest(bare, known, n) : NULL, *list = "";

    for (int32_t k = 0; k < n && list != NULL; k++) {
        if (bare != NULL && strcmp(bare, known[k]) == 0)
            near = known[k];
        list = amphi_arena_print(r->arena, "%s%sforcefield:%s", list, k > 0 ? " " : "", known[k]);
    }
    if (near != NULL && list != NULL)
        list =
            amphi_arena_print(r->arena, "%s        (did you mean \"forcefield:%s\"?)", list, near);
    return list != NULL && n > 0
               ? list
               : "(none is there: AMPHI_DATA may name the folder that holds forcefield/)";
}

static void note_not_there(AmphiReader *r, const AmphiXml *xml, const char *attribute,
                           const char *folder)
{
    const char *name = amphi_xml_text(xml, attribute), *also = "";
    const char *path = amphi_arena_print(r->arena, "%s/%s", folder, name);

    if (strcmp(xml->name, "include") == 0)
        also = amphi_arena_print(r->arena, ", or one of: %s", name_installed(r, name));
    if (path != NULL && also != NULL)
        amphi_xml_note(r->notes, FILE_NOT_THERE, xml, attribute, path, also);
}

/* "ff/own.xml" to "folder/own.xml", where copies lay before there were folders among them. */
static const char *copy_of(AmphiReader *r, const char *folder, const char *name)
{
    const char *slash = strrchr(name, '/');

    return amphi_arena_print(r->arena, "%s/%s", folder, slash != NULL ? slash + 1 : name);
}

const char *amphi_reader_resolve(AmphiReader *r, const AmphiXml *xml, const char *attribute)
{
    const char *name   = amphi_xml_text(xml, attribute);
    const char *folder = folder_of(r, xml->where.file);
    const char *path   = NULL, *real, *top;

    if (name == NULL || folder == NULL)
        return NULL;
    if (name[0] != '/')
        path = strcmp(folder, ".") == 0 ? amphi_arena_text(r->arena, name)
                                        : amphi_arena_print(r->arena, "%s/%s", folder, name);
    top  = real_path(r, folder);
    real = path != NULL ? real_path(r, path) : NULL;
    if (path != NULL && real == NULL && r->options->is_copy) {
        path = copy_of(r, folder, name);
        real = path != NULL ? real_path(r, path) : NULL;
    }
    if (path != NULL && real == NULL) {
        note_not_there(r, xml, attribute, top != NULL ? top : folder);
        return NULL;
    }
    if (path == NULL || top == NULL || !is_below(real, top)) {
        amphi_xml_note(r->notes, FILE_OUTSIDE, xml, attribute,
                       strcmp(xml->name, "include") == 0
                           ? "; installed force fields are forcefield:NAME"
                           : "");
        return NULL;
    }
    return path;
}

void amphi_reader_record(AmphiReader *r, const char *path)
{
    AmphiJob   *job = r->job;
    struct stat about;

    if (job->n_files % 16 == 0)
        job->file = amphi_arena_grow(r->arena, job->file, job->n_files, job->n_files + 16,
                                     sizeof *job->file);
    if (job->file != NULL)
        job->file[job->n_files++] =
            (AmphiFileRecord){ path, stat(path, &about) == 0 ? (int64_t)about.st_size : 0 };
}

char *amphi_reader_file(AmphiReader *r, const char *path, AmphiWhere from, int64_t *n_bytes)
{
    char *bytes = amphi_file_read(path, max_forcefield_bytes, n_bytes, r->arena, from, r->notes);

    if (bytes == NULL)
        return NULL;
    amphi_notes_included(r->notes, path, from);
    amphi_reader_record(r, path);
    return bytes;
}

static void note_not_installed(AmphiReader *r, const AmphiXml *xml, const char *name)
{
    const char *place = "any folder";

    if (r->options->data_dir != NULL)
        place = amphi_arena_print(r->arena, "%s/forcefield", r->options->data_dir);
    if (place != NULL)
        amphi_xml_note(r->notes, INCLUDE_UNKNOWN, xml, "href", place, name_installed(r, name));
}

/* forcefield:NAME: letters, digits, dashes; never a path. */
static const char *installed(AmphiReader *r, const AmphiXml *xml, const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const char *path    = NULL;

    if (r->options->data_dir != NULL && name[0] != '\0' && name[strspn(name, letters)] == '\0')
        path = amphi_arena_print(r->arena, "%s/forcefield/%s.xml", r->options->data_dir, name);
    if (path == NULL || real_path(r, path) == NULL) {
        note_not_installed(r, xml, name);
        return NULL;
    }
    return path;
}

typedef struct {
    int32_t     n_files;
    const char *real[MAX_FILES]; /* a file counts once, however often it is named */
} Seen;

static bool seen_before(AmphiReader *r, Seen *seen, const char *path)
{
    const char *real = real_path(r, path);

    for (int32_t k = 0; k < seen->n_files; k++)
        if (real != NULL && strcmp(seen->real[k], real) == 0)
            return true;
    if (real != NULL)
        seen->real[seen->n_files++] = real;
    return false;
}

/* NULL, noted: there is no such file, or it may not be read. */
static const char *find_include(AmphiReader *r, const AmphiXml *xml, int32_t depth,
                                const Seen *seen)
{
    const char *prefix = "forcefield:";
    const char *href   = amphi_xml_text(xml, "href");

    if (href == NULL)
        return NULL;
    if (seen->n_files == MAX_FILES || depth == MAX_DEPTH) {
        amphi_xml_note(r->notes, INCLUDE_TOO_DEEP, xml, "href", NULL);
        return NULL;
    }
    if (strncmp(href, prefix, strlen(prefix)) == 0)
        return installed(r, xml, href + strlen(prefix));
    return amphi_reader_resolve(r, xml, "href");
}

/* The <forcefield> of an included file; NULL when it cannot be read, or was read before. */
static const AmphiXml *open_include(AmphiReader *r, const AmphiXml *xml, int32_t depth, Seen *seen)
{
    const char     *path  = find_include(r, xml, depth, seen);
    const AmphiXml *tree  = NULL;
    char           *bytes = NULL;
    int64_t         n_bytes;

    if (path != NULL && seen_before(r, seen, path))
        return NULL;
    if (path != NULL)
        bytes = amphi_reader_file(r, path, xml->where, &n_bytes);
    if (bytes != NULL)
        tree = amphi_xml_parse(path, bytes, n_bytes, "forcefield", r->arena, r->notes);
    if (tree == NULL)
        r->lacks_items = true;
    else if (amphi_xml_whole(tree, "version", 1) != 1)
        amphi_xml_note(r->notes, XML_VERSION, tree, "version", NULL);
    return tree;
}

/* Files of parts have no name and nothing to cite. */
static void record_force_field(AmphiReader *r, const AmphiXml *xml)
{
    const AmphiForceField f   = { amphi_xml_text(xml, "name"), amphi_xml_text(xml, "cite") };
    AmphiJob *const       job = r->job;

    if (f.name == NULL && f.cite == NULL)
        return;
    job->force_field = amphi_arena_grow(r->arena, job->force_field, job->n_force_fields,
                                        job->n_force_fields + 1, sizeof f);
    if (job->force_field != NULL)
        job->force_field[job->n_force_fields++] = f;
}

static void add_item(AmphiReader *r, const AmphiXml *xml, int32_t *room)
{
    if (r->n_items == *room) {
        r->item = amphi_arena_grow(r->arena, r->item, *room, 2 * *room + 64, sizeof *r->item);
        *room   = 2 * *room + 64;
    }
    if (r->item != NULL)
        r->item[r->n_items++] = xml;
}

void amphi_reader_include(AmphiReader *r)
{
    const AmphiXml *top = amphi_xml_child(r->root, "forcefield");
    const AmphiXml *next[MAX_DEPTH + 1];
    Seen            seen  = { .n_files = 0 };
    int32_t         depth = 0, room = 0;

    if (top != NULL)
        record_force_field(r, top);
    next[0] = top != NULL ? top->child : NULL;
    while (depth >= 0 && !amphi_arena_failed(r->arena)) {
        const AmphiXml *at = next[depth];

        if (at == NULL) {
            depth--;
            continue;
        }
        next[depth] = at->next;
        if (at->element == NULL) {
            /* a misspelt <include>, or <beadtype>, or <moleculetype>? */
            r->lacks_items |= amphi_xml_has(at, "href") || amphi_xml_has(at, "name");
            continue;
        }
        if (strcmp(at->name, "include") != 0) {
            add_item(r, at, &room);
            continue;
        }
        at = open_include(r, at, depth, &seen);
        if (at == NULL)
            continue;
        record_force_field(r, at);
        next[++depth] = at->child;
    }
}
