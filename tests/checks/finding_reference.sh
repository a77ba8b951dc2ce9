#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/findings.md has every finding of tools/common/program/finding_list.h, in its order, with its severity, exit code and title,
# and no others, and says something about each.
set -euo pipefail
awk '
	BEGIN { exits["Usage"] = 1; exits["Io"] = 2; exits["Input"] = 3; exits["Internal"] = 4; exits["Limit"] = 5 }
	function complain( text ) { print text; bad = 1 }

	# GEL_FINDING( CannotRead, 1, gel_severityError, gel_exitIo, "a file cannot be read" )
	FNR == NR {
		if ( !match( $0, /^GEL_FINDING\( / ) ) next
		number = $3 + 0
		severity = tolower( $4 ); gsub( /gel_severity|,/, "", severity )
		code = $5; gsub( /gel_exit|,/, "", code )
		title = $0; sub( /^[^"]*"/, "", title ); sub( /" \)$/, "", title )
		listed[++listedCount] = sprintf( "T%04d | %s | %d | %s", number, severity, severity == "error" ? exits[code] : 0, title )
		next
	}
	/^\| T[0-9]/ {
		if ( $0 !~ /\| [^| ][^|]* \|$/ ) complain( "docs/findings.md:" FNR ": a row has five cells, none of them empty" )
		row = substr( $0, 3 )
		sub( / \|[^|]*\|$/, "", row )
		told[++toldCount] = row
		if ( toldCount > 1 && row <= told[toldCount - 1] ) complain( "docs/findings.md:" FNR ": not in order: " row )
	}
	END {
		for ( i = 1; i <= listedCount; ++i ) inList[listed[i]] = 1
		for ( i = 1; i <= toldCount; ++i )
		{
			inDocs[told[i]] = 1
			if ( !( told[i] in inList ) ) complain( "docs/findings.md has, and finding_list.h has not: " told[i] )
		}
		for ( i = 1; i <= listedCount; ++i )
			if ( !( listed[i] in inDocs ) ) complain( "finding_list.h has, and docs/findings.md has not: " listed[i] )
		if ( listedCount < 100 ) complain( "too few findings were read: " listedCount )
		if ( !bad ) print listedCount " findings are told"
		exit bad
	}
' "$GEL_ROOT/tools/common/program/finding_list.h" "$GEL_ROOT/docs/findings.md"
