#!/usr/bin/env perl
# arrows.pl ROOT: the includes of every file against the arrows that docs/architecture.md draws in its blocks
# marked "arrows": one line per module, "module: modules that it may use", those that they may use included.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Find;

my $root = shift or die "usage: arrows.pl ROOT\n";
chdir $root or die "$root: $!\n";
my $status = 0;
sub Complain { print "$_[0]\n"; $status = 1; }

# ---- what the document allows ----------------------------------------------------------------------------

my ( %direct, @modules, $inBlock );
open( my $page, '<', 'docs/architecture.md' ) or die "docs/architecture.md: $!\n";
while ( my $line = <$page> )
{
	if    ( $line =~ /^```arrows/ ) { $inBlock = 1; }
	elsif ( $line =~ /^```/ )       { $inBlock = 0; }
	elsif ( $inBlock && $line =~ /^(\S+):\s*(.*?)\s*$/ )
	{
		push @modules, $1;
		$direct{$1} = [ split ' ', $2 ];
	}
}
die "docs/architecture.md draws no arrows\n" unless @modules;

# Every module that a module may use, by way of others; a way back to itself is a circle.
my %allowed;
sub Reach
{
	my ( $module, @path ) = @_;
	return $allowed{$module} if $allowed{$module};
	if ( grep { $_ eq $module } @path )
	{
		Complain( 'docs/architecture.md draws a circle: ' . join( ' -> ', @path, $module ) );
		return {};
	}
	my %reach;
	for my $next ( @{ $direct{$module} } )
	{
		Complain("docs/architecture.md: $module may use $next, which is no module") unless $direct{$next};
		$reach{$_} = 1 for $next, keys %{ Reach( $next, @path, $module ) };
	}
	return $allowed{$module} = \%reach;
}
Reach($_) for @modules;

# ---- what the files do -----------------------------------------------------------------------------------

my @roots = qw(runtime/src runtime/include formats tools);
my ( %files, @all );
find( { wanted => sub { push @all, $File::Find::name if /\.[ch]$/ }, no_chdir => 1 }, @roots );
for my $file ( sort @all )
{
	my $module = dirname($file);
	++$files{$module};
	unless ( $direct{$module} )
	{
		Complain("$file: docs/architecture.md has no module $module");
		next;
	}
	open( my $in, '<', $file ) or die "$file: $!\n";
	while ( my $line = <$in> )
	{
		next unless $line =~ /^\s*#\s*include\s+(?:"([^"]+)"|<(gelpack\/[^>]+)>)/;
		my $name = $1 // $2;
		my ($target) = grep { -f } map { "$_/$name" } dirname($file), @roots;
		if ( !$target )
		{
			Complain("$file:$. includes \"$name\", which is not ours");
			next;
		}
		my $other = dirname($target);
		Complain("$file:$.: $module may not use $other ($name)") unless $other eq $module || $allowed{$module}{$other};
	}
}
for my $module (@modules)
{
	Complain("docs/architecture.md draws $module, which has no files") unless $files{$module};
}
exit $status;
