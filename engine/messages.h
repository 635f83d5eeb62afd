/* THE LIST of messages about input: id, severity, text, hint. {0} {1} ... stand for arguments.
 *
 * A text says what is wrong, after the place; a hint says what to write instead. A test in
 * validation/unit/test_messages.c triggers each of them.
 */
#ifndef AMPHI_ENGINE_MESSAGES_H
#define AMPHI_ENGINE_MESSAGES_H

/* Files, and XML as such. */
#define FILE_MESSAGES(M)                                                                           \
    M(FILE_MISSING, ERROR, "{0}: {1}", "")                                                         \
    M(FILE_TOO_LARGE, ERROR, "{0}: {1} bytes; at most {2} are read", "")                           \
    M(FILE_EMPTY, ERROR, "{0}: the file is empty", "")                                             \
    M(XML_SYNTAX, ERROR, "not well-formed XML: {0}", "")                                           \
    M(XML_DOCTYPE, ERROR, "a DOCTYPE is not allowed", "remove it; files are joined by <include>")  \
    M(XML_ENTITY, ERROR, "the entity &{0}; is not allowed",                                        \
      "write the text itself, or one of &lt; &gt; &amp; &quot; &apos;")                            \
    M(XML_ROOT, ERROR, "<{0}>: the file must begin with <{1}>", "")                                \
    M(XML_VERSION, ERROR, "<{0} version=\"{1}\">: this amphi reads version 1", "")                 \
    M(XML_SCHEMA, ERROR, "{0}", "")                                                                \
    M(INCLUDE_OUTSIDE, ERROR, "<include href=\"{0}\">: outside the folder of this file",           \
      "include files below that folder, or forcefield:NAME for those installed with amphi")        \
    M(INCLUDE_UNKNOWN, ERROR, "<include href=\"{0}\">: no force field of that name is installed",  \
      "write one of: {1}")                                                                         \
    M(INCLUDE_DEPTH, ERROR, "<include href=\"{0}\">: included more than {1} files deep",           \
      "does a file include itself?")                                                               \
    M(INCLUDE_COUNT, ERROR, "<include href=\"{0}\">: more than {1} files", "")

/* Elements and attributes against the table of schema.c. */
#define SCHEMA_MESSAGES(M)                                                                         \
    M(UNKNOWN_ELEMENT, ERROR, "<{0}>: no such element in <{1}>", "write one of: {2}{3}")           \
    M(UNKNOWN_ATTRIBUTE, ERROR, "<{0} {1}=\"{2}\">: no such attribute", "write one of: {3}{4}")    \
    M(MISSING_ATTRIBUTE, ERROR, "<{0}>: the attribute {1} is missing", "write: {1}=\"{2}\"")       \
    M(MISSING_ELEMENT, ERROR, "<{0}>: the element <{1}> is missing", "")                           \
    M(TOO_MANY_ELEMENTS, ERROR, "<{0}>: at most {1} of <{2}>", "")                                 \
    M(STRAY_TEXT, ERROR, "<{0}>: text is not allowed here: \"{1}\"", "")                           \
    M(NOT_A_CHOICE, ERROR, "<{0} {1}=\"{2}\">: not one of its values", "write one of: {3}{4}")     \
    M(NOT_A_NUMBER, ERROR, "<{0} {1}=\"{2}\">: not a number", "write {1}=\"{3}\"")                 \
    M(UNIT_MISSING, ERROR, "<{0} {1}=\"{2}\">: a {3} needs a unit",                                \
      "write: {1}=\"{4}\"     (known: {5})")                                                       \
    M(UNIT_UNKNOWN, ERROR, "<{0} {1}=\"{2}\">: the unit is not known", "known for a {3}: {4}")     \
    M(UNIT_WRONG, ERROR, "<{0} {1}=\"{2}\">: the unit is not that of a {3}",                       \
      "known for a {3}: {4}")                                                                      \
    M(UNIT_NOT_WANTED, ERROR, "<{0} {1}=\"{2}\">: a number without unit is wanted", "")            \
    M(NOT_POSITIVE, ERROR, "<{0} {1}=\"{2}\">: must be above zero", "")                            \
    M(NEGATIVE, ERROR, "<{0} {1}=\"{2}\">: must not be negative", "")                              \
    M(NOT_WHOLE, ERROR, "<{0} {1}=\"{2}\">: must be a whole number", "")                           \
    M(NOT_HALF_TURN, ERROR, "<{0} {1}=\"{2}\">: must lie between 0 and 180 degrees", "")           \
    M(TOO_LARGE_NUMBER, ERROR, "<{0} {1}=\"{2}\">: out of range, at most {3}", "")                 \
    M(EMPTY_ATTRIBUTE, ERROR, "<{0} {1}=\"\">: must not be empty", "")

/* What elements mean together. */
#define MEANING_MESSAGES(M)                                                                        \
    M(DUPLICATE, ERROR, "<{0}>: {1} is defined twice, first at {2}", "")                           \
    M(UNKNOWN_NAME, ERROR, "<{0} {1}=\"{2}\">: no {3} of that name", "write one of: {4}{5}")

/* Coordinate files. */
#define FORMAT_MESSAGES(M)                                                                         \
    M(FORMAT_UNKNOWN, ERROR, "{0}: the format of the file is not known", "write one of: {1}")

/* Starts made from a composition. */
#define BUILD_MESSAGES(M) M(BUILD_FAILED, ERROR, "{0}", "")

#define MESSAGE_LIST(M)                                                                            \
    FILE_MESSAGES(M)                                                                               \
    SCHEMA_MESSAGES(M)                                                                             \
    MEANING_MESSAGES(M)                                                                            \
    FORMAT_MESSAGES(M)                                                                             \
    BUILD_MESSAGES(M)

#endif
