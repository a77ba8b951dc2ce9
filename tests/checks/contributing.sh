#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What CONTRIBUTING.md and the pages about the code name between backticks is there: paths from the root or from runtime/, names of
# sources (which are unique), and, behind a file and a colon, texts of that file: `runtime/src/a.c`: `gelSymbol`, `another`.
set -euo pipefail
cd "$GEL_ROOT"
find formats runtime tools examples tests bench -name '*.[ch]' -printf '%f\n' | perl -e '
	my ($bad, $line, $paths, $texts) = (0, 0, 0, 0);
	sub complain { print "$ARGV:$line: @_\n"; $bad = 1 }
	my %sources = map { chomp; $_ => 1 } <STDIN>;
	while (<>) {
		$line = $.;
		while (/`((src|include|runtime|formats|tools|tests|docs|examples|bench|scripts|cmake)\/[^`: ]*)`/g) {
			++$paths;
			my $path = $2 eq "src" || $2 eq "include" ? "runtime/$1" : $1;
			complain("there is no $path") unless grep { -e } glob $path;
		}
		while (/`([a-z0-9_]+\.[ch])`/g) { complain("there is no $1") unless $sources{$1} }
		while (/`([\w.\/-]+)`:((?:,? `[^`]+`)+)/g) {
			my ($file, $list) = ($1, $2);
			next unless -f $file;
			open my $in, "<", $file or die "$file: $!";
			my $content = do { local $/; <$in> };
			for my $text ($list =~ /`([^`]+)`/g) {
				++$texts;
				complain("$file has no $text") if index($content, $text) < 0;
			}
		}
	} continue { close ARGV if eof(ARGV) }
	complain("only $paths paths and $texts texts were read") if $paths < 150 || $texts < 100;
	print "$paths paths and $texts texts are there\n" unless $bad;
	exit $bad;
' CONTRIBUTING.md docs/architecture.md docs/decisions.md docs/glossary.md runtime/README.md
