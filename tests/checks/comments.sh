#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Comments say their noun: none begins with "of" or "that". And the files and gel names that they mention are in the tree.
set -euo pipefail
cd "$GEL_ROOT"
find formats runtime tools examples tests bench -name '*.[ch]' | perl -e '
	use strict; use warnings;
	my ( %code, @mentions, $bad );
	# GEL_FACTOR_* and gel_finding<Name> stand for many
	my $mention = qr/(?<![.\w])((?:gel[A-Z_]|GEL_)\w*\b(?<!_)(?![*<])|\w{2,}\.[ch]\b)/;
	my @files = map { chomp; $_ } <STDIN>;
	my %known = map { m{([^/]+)$}; ( $1 => 1 ) } @files;
	foreach my $file ( @files )
	{
		open( my $in, "<", $file ) or die "$file: $!";
		my $isInComment = 0;
		while ( my $line = <$in> )
		{
			my ( $before, $comment ) = $line =~ m{^(.*?)(?:(?<!:)//[/<]*\s*(.*))?$};
			$known{$1} = 1 if $before =~ m{#include [<"](?:.*/)?([^/>"]+)};
			$code{$1} = 1 while $before =~ /(\w+)/g;
			if ( defined $comment )
			{
				my $isFragment = $comment =~ /^(?:of|that)\b/i && !( $isInComment && $before =~ /^\s*$/ );
				if ( $isFragment )
				{
					print "$file:$.: a comment without a noun: $comment\n";
					$bad = 1;
				}
				push @mentions, [ $file, $., $1 ] while $comment =~ /$mention/g;
			}
			$isInComment = defined $comment;
		}
	}
	foreach my $mention ( @mentions )
	{
		my ( $file, $line, $name ) = @$mention;
		next if $known{$name} || $code{$name};
		print "$file:$line: $name is not in the tree\n";
		$bad = 1;
	}
	exit( $bad ? 1 : 0 );'
