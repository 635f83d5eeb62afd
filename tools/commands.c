/* The table of commands and their options: what parses, helps and documents them. */
#include "commands.h"

#include "command.h"

#define STRICT_OPTION                                                                              \
    {                                                                                              \
        "strict", 0, NULL, NULL, "warnings count as errors"                                        \
    }
#define DEVICE_OPTION                                                                              \
    {                                                                                              \
        "device", 0, "N", NULL, "which GPU, from 0; default: that of <compute>"                    \
    }
#define MEMORY_OPTION                                                                              \
    {                                                                                              \
        "max-memory", 0, "SIZE", NULL, "most that the system may need: 8GB; default: 80 % of RAM"  \
    }

static const ToolOption check_options[] = {
    MEMORY_OPTION,
    STRICT_OPTION,
    { "verbose", 'v', NULL, NULL, "every pair of bead types on its own line, with its numbers" },
    TOOL_COMMON_OPTIONS
};
static const ToolOption evaluate_options[] = {
    { "output", 'o', "DIR", NULL, "write energies.tsv, pressure.tsv and forces.tsv into DIR" },
    { "backend", 0, "NAME", NULL, "reference, cpu or cuda; default: reference" },
    { "precision", 0, "NAME", "single double fixed", "default: double" },
    DEVICE_OPTION,
    MEMORY_OPTION,
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption run_options[] = {
    { "output", 'o', "DIR", NULL,
      "run directory; default: the name of the system file with .run; of several systems the "
      "folder "
      "for theirs" },
    { "steps", 'n', "STEPS", NULL,
      "length of the whole run, minimisations with it, from step 0; default: the plan's" },
    { "until", 0, "TIME", NULL,
      "its length as simulated time, which minimisations do not take: 50ns" },
    { "max-hours", 0, "H", NULL,
      "end within H hours: save, stop, write the report; it goes on later" },
    { "checkpoint-every", 0, "T", NULL, "time on the clock, 5min, or 10000steps" },
    { "precision", 0, "NAME", "single double fixed",
      "default: that of the run in DIR; of a new one that of <compute>" },
    { "backend", 0, "NAME", NULL,
      "cuda, cpu or reference; default: that of the run in DIR; of a new one that of <compute>, or "
      "the fastest" },
    DEVICE_OPTION,
    { "threads", 0, "N", NULL,
      "default: that of <compute>, or all processors, which several systems share out" },
    { "at-once", 0, "N", NULL,
      "of several systems, how many run side by side; default: 8 on a GPU, which takes 16 at most, "
      "else as many as there are processors for their threads" },
    { "fresh", 0, NULL, NULL, "throw away an earlier run in DIR" },
    { "yes", 0, NULL, NULL, "do not ask about that" },
    { "dry-run", 0, NULL, NULL, "set up, estimate memory and time, and stop" },
    { "timings", 0, NULL, NULL, "at the end, microseconds a step by operation; also of a dry run" },
    { "reverse", 0, NULL, NULL,
      "at the end, the last stage backwards in time to its first state; fixed precision and NVE" },
    { "picture", 0, NULL, NULL, "also final.png, by the ray tracer tachyon" },
    { "no-report", 0, NULL, NULL, "neither report.html nor curves at the end" },
    MEMORY_OPTION,
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption compare_options[] = {
    { "output", 'o', "DIR", NULL,
      "a folder for compare.html, compare.tsv, compare.json and the curves" },
    { "precision", 0, "LIST", NULL, "of single,double,fixed; default: all that are there" },
    { "backend", 0, "LIST", NULL, "of cpu,cuda,reference; default: cpu,cuda" },
    { "alone", 0, NULL, NULL, "without cpu double, which is added where no mode is in double" },
    { "length", 0, "TIME", NULL, "of each run; default: 20ps" },
    { "timestep", 0, "TIME", NULL, "default: that of the last stage" },
    { "from", 0, "PATH", NULL,
      "a checkpoint or a run to start from; default: NAME.run if it is there" },
    { "settle", 0, "TIME", NULL,
      "else from the stages before the last, each so long; default: 10ps" },
    DEVICE_OPTION,
    { "threads", 0, "N", NULL, "default: that of <compute>" },
    MEMORY_OPTION,
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption analyse_options[] = {
    { "output", 'o', "DIR", NULL, "a folder for the tables; default: analysis in that of the run" },
    { "observe", 0, "LIST", NULL,
      "of area,thickness,profile,order,diffusion,undulations, and of rdf where the run has one; or "
      "FILE.xml with an <output>, for rdf and attributes of your own; default: as the run" },
    { "from", 0, "TIME", NULL,
      "the first time of a frame, whatever from=\"...\" in <output> says: 20ns; default: as that "
      "says" },
    { "to", 0, "TIME", NULL, "the last time of a frame: 50ns; default: the end" },
    { "every", 0, "N", NULL, "only every Nth frame of each stage" },
    MEMORY_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption report_options[] = {
    { "output", 'o', "FILE", NULL, "where to; default: report.html in the run directory" },
    MEMORY_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption build_options[] = {
    { "output", 'o', "DIR", NULL, "where to; default: the name of the system file with .start" },
    { "picture", 0, NULL, NULL, "also start.png, by the ray tracer tachyon" },
    MEMORY_OPTION,
    STRICT_OPTION,
    TOOL_COMMON_OPTIONS
};
static const ToolOption convert_options[] = {
    { "output", 'o', "FILE", NULL, "the same as B; of a table, without it: standard output" },
    { "column", 0, "LIST", NULL, "of a table: its numbers, a line a row: time_ps,conserved" },
    { "topology", 0, "T", NULL, "a file that has what A has not: names, masses, bonds" },
    { "frame", 0, "N", NULL, "of a trajectory, from 0, or last; default: all, or the first" },
    { "from", 0, "FORMAT", NULL, "of A; default: by its ending" },
    { "to", 0, "FORMAT", NULL, "of B; default: by its ending" },
    TOOL_COMMON_OPTIONS
};
static const ToolOption describe_options[] = { { "all", 0, NULL, NULL, "everything" },
                                               { "man", 0, NULL, NULL, "the manual page, in roff" },
                                               { "completion", 0, "SHELL", "bash",
                                                 "what a shell needs to complete command lines" },
                                               { "xsd", 0, "ROOT", "amphi forcefield output",
                                                 "the XML schema of a kind of files, by its root" },
                                               TOOL_COMMON_OPTIONS };

static const ToolCommand commands[] = {
    { "check",
      "SYSTEM.xml",
      "Reads a system, and says everything that is wrong or what holds. Runs nothing.",
      { "amphi check bilayer.xml", "amphi check bilayer.xml --strict -v" },
      1,
      1,
      check_options,
      cmd_check },
    { "evaluate",
      "SYSTEM.xml",
      "Energies by term, the pressure, and the force and torque on every bead.",
      { "amphi evaluate bilayer.xml", "amphi evaluate bilayer.xml -o forces" },
      1,
      1,
      evaluate_options,
      cmd_evaluate },
    { "run",
      "SYSTEM.xml ...",
      "Runs the plan of a system, or goes on where it stopped; of several systems all at once.",
      { "amphi run bilayer.xml --until 200ns --max-hours 23.5", "amphi run first.xml second.xml" },
      1,
      -1,
      run_options,
      cmd_run },
    { "compare",
      "SYSTEM.xml",
      "One system in several precisions and backends from one state: errors, drift, speed.",
      { "amphi compare bilayer.xml --precision single,double,fixed --backend cpu,cuda",
        "amphi compare bilayer.xml --from bilayer.run --length 1ns -o compare" },
      1,
      1,
      compare_options,
      cmd_compare },
    { "analyse",
      "[RUN.run]",
      "Measures a run again from its trajectory, also while it runs: other times, other "
      "observers.",
      { "amphi analyse bilayer.run --observe area,order",
        "amphi analyse bilayer.run --from 20ns --to 50ns -o later" },
      0,
      1,
      analyse_options,
      cmd_analyse },
    { "report",
      "[RUN.run]",
      "The page of a run, with figures and tables, once more; without RUN.run of the only run "
      "here.",
      { "amphi report bilayer.run", "amphi report bilayer.run -o bilayer.html" },
      0,
      1,
      report_options,
      cmd_report },
    { "build",
      "SYSTEM.xml",
      "Makes the start that <bilayer> or <fill> describes, and writes it for other programs.",
      { "amphi build bilayer.xml", "amphi build bilayer.xml -o start --picture" },
      1,
      1,
      build_options,
      cmd_build },
    { "convert",
      "A [B]",
      "Coordinates from one format to another, and columns of tables as bare numbers.",
      { "amphi convert run.dcd last.gro --topology run.psf --frame 10",
        "amphi convert energy.tsv --column conserved -o e.dat" },
      1,
      2,
      convert_options,
      cmd_convert },
    { "describe",
      "[NAME...]",
      "The reference: elements, potentials, treatments, units, files, exit codes, messages.",
      { "amphi describe", "amphi describe bilayer lennard-jones length" },
      0,
      -1,
      describe_options,
      cmd_describe },
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const ToolCommand *tool_command_at(int k)
{
    return k >= 0 && k < N_COMMANDS ? &commands[k] : NULL;
}
