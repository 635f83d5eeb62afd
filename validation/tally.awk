# Sums the logs of test programs (cmocka, or a script that ends with 'N passed, N failed, N
# skipped'), each with 'exit status N after N s' behind it. Shows the whole log of what failed, the notes
# and the skipped tests of the others, and last one plain line for machines. Fails when a test failed
# or none ran.

function finish(  ended, line) {
    if (name == "")
        return
    if (n_failed == 0 && exit_status != 0) {
        n_failed = 1
        ended = exit_status == 124 ? " (did not end)" : " (ended with status " exit_status ")"
    } else if (n_passed + n_failed + n_skipped == 0) {
        n_failed = 1
        ended = " (ran no test)"
    }
    sub(/^.*validation\//, "", name)
    sub(/\.log$/, "", name)
    line = sprintf("%-36s %4d passed", name, n_passed)
    line = line ((n_skipped > 0) ? ", " n_skipped " skipped" : "")
    print line ((n_failed > 0) ? ", " n_failed " FAILED" : "") ended ((took >= 10) ? ", " took " s" : "")
    printf "%s", (n_failed > 0 ? text : notes)
    passed += n_passed
    failed += n_failed
    skipped += n_skipped
}

FNR == 1 {
    finish()
    name = FILENAME
    n_passed = n_failed = n_skipped = 0
    exit_status = 1
    took = 0
    text = notes = ""
}
{ text = text "    " $0 "\n" }
/^\[  PASSED  \] [0-9]+ test/ { n_passed += $4 }
/^\[  FAILED  \] [0-9]+ test/ { n_failed += $4 }
/^\[  SKIPPED \] [0-9]+ test/ { n_skipped += $4 }
/^(note|SKIPPED): / || (/^\[  SKIPPED \] [^0-9]/ && !(($0, FILENAME) in shown)) {
    shown[$0, FILENAME] = 1
    notes = notes "    " $0 "\n"
}
/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
    n_passed += $1
    n_failed += $3
    n_skipped += $5
}
/^exit status [0-9]+ after [0-9]+ s$/ {
    exit_status = $3
    took = $5
}

END {
    finish()
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit (failed > 0 || passed == 0)
}
