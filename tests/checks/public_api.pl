#!/usr/bin/perl
# Usage: public_api.pl ROOT. What a game sees of the runtime: fails on
#   - a public function (GEL_API) without a document of its own directly above it;
#   - a function that takes or gives a quantity (float, double, gelVec3, gelTransform) whose document has neither a [unit] nor
#     the words "unit length", "unit vector" or "no unit";
#   - a function that no file of tools/, examples/ and docs/*.md uses;
#   - a boolean of a struct that is not isX, hasX or enableX (CONTRIBUTING.md).
use strict;
use warnings;

my $root = shift // die "usage: public_api.pl ROOT\n";
chdir $root or die "$root: $!\n";
my ( $status, $functions, $quantities ) = ( 0, 0, 0 );
sub complain { print "@_\n"; $status = 1 }
sub text { my $file = shift; local $/; open my $in, '<', $file or die "$file: $!\n"; return <$in> }

my %used;
for my $file ( split /\n/, `find tools examples docs -name '*.[ch]' -o -path 'docs/*.md'` ) {
	my $text = text( $file );
	$used{$1} = 1 while $text =~ /\b(gel[A-Z]\w*)/g;
}

my $unit = qr/\[[^\]]*(?<![A-Za-z])(?:m|s|kg|N|Pa|J|Hz|rad|us)(?![A-Za-z])[^\]]*\]|\bno unit\b|\bunit (?:length|vector)/;

for my $header ( glob 'runtime/include/gelpack/*.h' ) {
	my ( $document, $number ) = ( '', 0 );
	my @lines = split /\n/, text( $header );
	while ( $number < @lines ) {
		my $line = $lines[$number++];
		if ( $line =~ m{^\s*///(?!<)\s?(.*)} ) { $document .= "$1 "; next }
		if ( $line =~ /^GEL_API / ) {
			my $at = "$header:$number";
			$line .= ' ' . $lines[$number++] until $line =~ /;/;
			my ( $result, $name, $parameters ) = $line =~ /^GEL_API (.*?)(\w+)\s*\((.*)\);/ or die "$at: $line\n";
			++$functions;
			complain( "$at: $name has no document of its own" ) if $document !~ /\w/;
			if ( "$result$parameters" =~ /\b(?:float|double|gelVec3|gelTransform)\b/ ) {
				++$quantities;
				complain( "$at: the document of $name says no unit" ) if $document =~ /\w/ && $document !~ $unit;
			}
			complain( "$at: no tool, example or guide uses $name" ) if !$used{$name};
		}
		elsif ( $line =~ /^\s+bool ([^(*]+);/ ) {
			for my $name ( split /\s*,\s*/, $1 ) {
				complain( "$header:$number: the boolean $name is not isX, hasX or enableX" ) if $name !~ /^(?:is|has|enable)[A-Z]/;
			}
		}
		$document = '';
	}
}
complain( "only $functions public functions were found" ) if $functions < 100;
print "$functions public functions are documented and used, $quantities of them with units\n" if !$status;
exit $status;
