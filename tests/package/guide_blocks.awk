# Takes the code out of a guide: a block that opens with ```LANGUAGE FILE becomes folder/FILE. -v folder=WHERE
/^```[a-z]+ [^ ]+$/ { file = folder "/" $2; printf "" > file; next }
/^```/ { if ( file != "" ) close( file ); file = ""; next }
file != "" { print > file }
