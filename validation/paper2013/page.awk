# A table of paper.sh as Markdown: '# title', '# remarks', a line of names, rows.
/^#/ { text = substr($0, 3); print ""; print (titled++ ? text : "## " text); next }
{
    if (!rows++) print ""
    for (k = 1; k <= NF; k++) printf "| %s ", $k
    print "|"
    if (rows == 1) {
        for (k = 1; k <= NF; k++) printf "|---"
        print "|"
    }
}
