/* Tables for users, and searches in the table of potentials. */
#include "reference.h"

#include <stdio.h>
#include <string.h>

const ToolEntry *tool_treatments(void)
{
    static const ToolEntry treatments[] = {
        [AMPHI_TRUNCATED]       = { "truncated", "nothing beyond the cut-off" },
        [AMPHI_ENERGY_SHIFT]    = { "energy-shift",
                                    "minus the value at the cut-off; of dipoles: of each of the "
                                       "two radial functions" },
        [AMPHI_FORCE_SHIFT]     = { "force-shift",
                                    "minus value and slope at the cut-off, the slope times "
                                        "(r - r_c); of dipoles: of each of the two radial "
                                        "functions" },
        [AMPHI_QUADRATIC_SHIFT] = { "quadratic-shift", "the force over r is shifted by a constant; "
                                                       "the Lennard-Jones of "
                                                       "ELBA" },
        [AMPHI_SHIFTED_FACTORS] = { "shifted-factors",
                                    "the factors of ELBA; the same function as force-shift" },
        [AMPHI_REACTION_FIELD]  = { "reaction-field",
                                    "a dielectric of this permittivity beyond the cut-off, no self "
                                     "term; with `from` all of it times the switch" },
        [AMPHI_SWITCHED]        = { "switched",
                                    "times 1 - 3 x^2 + 2 x^3, x = (r - from) / (cutoff - from)" },
        [AMPHI_TREATMENTS]      = { NULL, NULL },
    };

    return treatments;
}

static const ToolEntry result_files[] = {
    { "energies.tsv", "of evaluate: a line a term and one for the total; energy in kJ/mol, and "
                      "the virial sum of d_a F_b in kJ/mol, not symmetrised" },
    { "pressure.tsv", "of evaluate: virial part, kinetic part and total in bar, symmetrised" },
    { "forces.tsv", "of evaluate: a line a bead in the order of the file; force in kJ/mol/nm "
                    "and torque in kJ/mol, space frame" },
    { "energy.tsv", "of run: a line for each interval of <energies>; energies in kJ/mol, "
                    "temperatures in K, pressures in bar, box in nm" },
    { "area.tsv", "of run with <area>: area and volume per lipid in time, a row each `every`" },
    { "area-mean.tsv",
      "of run with <area>: their means, with errors; and the area compressibility modulus kT "
      "<A>/<dA^2>, if all stages of the plan from its `from` on are NPT by cell-rescale, "
      "semi-isotropic, of one pressure, tension and temperature, without restraints. With "
      "<barostat every=\"1\"/> the area fluctuates right to a few per cent. A run of less than 50 "
      "relaxation times of the area tells too large a modulus" },
    { "thickness.tsv", "of run with <thickness>: the distance of the leaflets in time" },
    { "thickness-mean.tsv", "of run with <thickness>: its mean, with its error" },
    { "profile.tsv", "of run with <profile>: densities across the membrane, with errors; "
                     "profile-GROUP.tsv those of a group" },
    { "order.tsv", "of run with <order>: order of the tails, bond by bond" },
    { "rdf.tsv", "of run with <rdf>: radial distribution; rdf-NAME.tsv of one with a name" },
    { "diffusion.tsv",
      "of run with <diffusion>: mean-square displacements, and coefficients. Steps from frame to "
      "frame are of beads in the box: where it moves, those of the whole molecules of "
      "trajectory.dcd tell an msd that differs by up to 2 %, and a coefficient by less" },
    { "lateral-pressure.tsv", "of run with <lateral-pressure>: pressure slab by slab" },
    { "undulations.tsv", "of run with <undulations>: waves, and the bending modulus" },
    { "trajectory.dcd",
      "of run: frames, with names, masses and bonds in topology.psf; the header has one time "
      "between frames for all: where it changes, energy.tsv has the times, of <energies> with "
      "the same every and from" },
    { "trajectory.xtc", "of run: instead, with <trajectory format=\"xtc\">: a third of the "
                        "size, to 0.001 nm or its precision; each frame has its step and "
                        "time" },
    { "analysis",
      "of analyse: tables of the same names and columns as those of the run; the first line "
      "says of which frames. Observers that the run has are as there, but see all frames "
      "that --from, --to and --every leave; others have their defaults" },
    { "topology.psf", "of run with <trajectory>: its names, charges, masses and bonds" },
    { "final.gro", "of run with <trajectory>: the last frame, positions and velocities" },
    { "final.data", "of run with <trajectory>: the same as LAMMPS data, with the directions of "
                    "dipoles; all of the orientations are in run.chk alone" },
    { "view.vmd", "of run with <trajectory>: opens it in VMD with its bonds; view.pml in PyMOL" },
    { "report.html", "of run and report: all of it on one page; figures/NAME.gp draw its curves" },
    { "timings.tsv", "of run --timings: microseconds a step by operation" },
    { "final.png", "of run --picture: the last checkpoint seen from the side" },
    { "energies.png", "of run: energy.tsv as curves; energies.gp draws it again" },
    { "profile.png", "of run: profile.tsv as curves; profile.gp draws it again" },
    { "run.chk", "of run: all that is needed to go on; run.chk.prev is the one before" },
    { "run.log", "of run: messages, versions, options, progress" },
    { "status.json", "of run: where it is, rewritten every ten seconds" },
    { "fault-STEP.chk", "of run: the state before a fault; fault-STEP.dcd: the steps from there" },
    { "input", "of run: the files that were read, and SHA256SUMS of them" },
    { "compare.html", "of compare -o: all of its figures on one page" },
    { "compare.tsv", "of compare -o: a line a figure, a column a mode; a table more for every "
                     "curve" },
    { "compare.json", "of compare -o: the lines of --json" },
    { "start.gro", "of build: positions and velocities, nm and nm/ps" },
    { "start.psf", "of build: names, charges, masses and bonds, for viewers" },
    { "start.data", "of build: LAMMPS data with dipoles and angular velocities" },
    { "start.chk", "of build: amphi's own form, every bit of the start" },
    { "start.png", "of build --picture: the start seen from the side" },
    { NULL, NULL },
};

const ToolEntry *tool_result_files(void)
{
    return result_files;
}

const ToolEntry *tool_exit_codes(void)
{
    static const ToolEntry codes[] = {
        { "0", "done what was asked" },
        { "1", "a defect in amphi: please report it" },
        { "2", "wrong command line, or a needed package is missing" },
        { "3", "the input is wrong; the message has file and line" },
        { "4", "reading or writing failed: full disk, no permission, damaged file" },
        { "5", "the system is unphysical: beads overlap, bonds tear, or something is not finite" },
        { "6", "no such device, device lost or computing wrongly, or out of memory" },
        { "7", "it ran, and a check or comparison did not hold" },
        { "8", "stopped early on request; the same line goes on" },
        { NULL, NULL },
    };

    return codes;
}

const ToolEntry *tool_signals(void)
{
    static const ToolEntry signals[] = {
        { "INT, TERM, HUP", "finish the step, save and exit with 8; one more, later than a second: "
                            "stop now; none that was ignored at the start, as under nohup" },
        { "USR1", "save and go on" },
        { "USR2", "print one line about the run" },
        { NULL, NULL },
    };

    return signals;
}

const ToolEntry *tool_environment(void)
{
    static const ToolEntry variables[] = {
        { "AMPHI_DATA", "the folder that holds forcefield/; default: that of the program" },
        { "NO_COLOR", "if set, no line is rewritten" },
        { "AMPHI_CPU", "v3: AVX2 even where there is AVX-512" },
        { "OMP_WAIT_POLICY, GOMP_SPINCOUNT",
          "how threads wait for each other; default: some 40 us, then they give their processor "
          "away" },
        { NULL, NULL },
    };

    return variables;
}

const char *tool_field_name(const AmphiField *field, char *text, size_t size)
{
    snprintf(text, size, "%s", field->name);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '_')
            *c = '-';
    return text;
}
