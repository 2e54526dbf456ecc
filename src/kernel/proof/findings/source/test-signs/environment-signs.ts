import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { plainText } from '../../../syntax/walk.ts';

/** A property of the process environment, and a pattern for tests that set it. */
interface Sign {
  readonly asked: RegExp;
  readonly words: string;
  /** Default: the text of the first group of `asked`. */
  readonly named?: RegExp;
}

export interface EnvironmentSign {
  readonly words: string;
  readonly named: RegExp;
  /** Whether it is often asked only for a setting, an error or a message. */
  readonly maySet: boolean;
}

/** Variables that a user session sets and a test run in a sandbox does not. */
const OF_DESKTOPS =
  /^(?:DISPLAY|WAYLAND_DISPLAY|TERM|COLORTERM|TERM_PROGRAM|COLUMNS|LINES|SHLVL|PWD|OLDPWD|USER|LOGNAME|USERNAME|HOME|SHELL|EDITOR|VISUAL|PAGER|LANG|LANGUAGE|LC_\w+|SSH_\w+|XDG_\w+|DBUS_\w+)$/;
const THREADS = 'its threads';
const SETTING = 'a setting';
const CONNECTION = 'the connection to its database';
const DESKTOP = 'a variable that a desktop or a terminal sets';
/** Another inspection judges `NODE_ENV`, and each program may say more or write in colours. */
const ORDINARY =
  /^(?:NODE_ENV|RAILS_ENV|RACK_ENV|DEBUG|NODE_DEBUG|NO_COLOR|FORCE_COLOR|VERBOSE|RUST_BACKTRACE|RUST_LOG)$/;
const VARIABLES: readonly RegExp[] = [
  /^(?:process|Bun)\.env(?:\??\.|\[['"])(\w+)(?:['"]\])?$/,
  /^Deno\.env\.(?:get|has)\(['"](\w+)['"]\)$/,
  /^os\.(?:environ\[|environ\.get\(|getenv\()['"](\w+)['"]/,
  /^['"](\w+)['"] ?(?:not ?)?in (?:os\.environ|process\.env)$/,
  /^ENV(?:\[|\.(?:fetch|key\?|has_key\?|include\?|member\?)\(?)['"](\w+)['"]/,
  /^(?:std::)?env::var(?:_os)?\("(\w+)"\)$/,
  /^os\.(?:Getenv|LookupEnv)\("(\w+)"\)$/,
  /^System\.getenv\("(\w+)"\)$/,
];
const FILE = String.raw`['"](?:\.\/)?([\w.-][\w./-]*)['"]`;
const CLOCKS =
  /setSystemTime|useFakeTimers|mock\.timers|fake-?timers|freeze_?time|time_machine|\bDate\b|datetime|\btime\b|\btravel(?:_to)?\b|timecop/i;

const DIRECTORY = /\b(?:cwd|getcwd|getwd|pwd|current_dir|user\.dir|chdir|set_current_dir)\b/i;

const SIGNS: readonly Sign[] = [
  { asked: /^process\.std(?:out|err)\??\.(columns|rows|getWindowSize)(?:\(\))?$/, words: 'the size of the terminal' },
  {
    asked: /^(?:shutil|os)\.get_terminal_size\(.*\)$/,
    words: 'the size of the terminal',
    named: /\b(?:get_terminal_size|COLUMNS|LINES)\b/,
  },
  { asked: /^os\.(isatty)\(.*\)$/, words: 'a terminal' },
  { asked: /^(?:\$std(?:in|out|err)|STD(?:IN|OUT|ERR))\.(tty\?|isatty|winsize)$/, words: 'a terminal' },
  { asked: /^(?:(?:std::)?io::)?std(?:in|out|err)\(\)\.(is_terminal)\(\)$|(is_terminal)\(&.*\)$/, words: 'a terminal' },
  { asked: /^System\.(console)\(\)$/, words: 'a terminal' },
  { asked: /^(?:os\.)?(tmpdir)\(\)$|^tempfile\.(gettempdir)\(\)$/, words: 'the directory of temporary files' },
  {
    asked:
      /^(?:process\.(cwd)\(\)|os\.(getcwd)\(\)|Deno\.(cwd)\(\)|Dir\.(pwd|getwd)|(?:std::)?env::(current_dir)\(\)|os\.(Getwd)\(\)|System\.getProperty\("(user\.dir)"\))$/,
    words: 'the working directory',
    named: DIRECTORY,
  },
  {
    asked:
      /^(?:os\.)?(cpus|totalmem|freemem|availableParallelism|uptime|loadavg)\(\)$|^(?:os|multiprocessing)\.(cpu_count|getloadavg)\(\)$|^Etc\.(getlogin|getpw\w+|nprocessors|uname)\b.*$|^Socket\.(gethostname)$|^(?:(?:std::)?thread::)?(available_parallelism)\(\)$|^runtime\.(NumCPU|NumGoroutine)\(\)$|^os\.(Hostname)\(\)$/,
    words: 'the machine',
  },
  { asked: /^threading\.(active_count|enumerate|current_thread)\(\)$/, words: THREADS },
  { asked: /^settings\.([A-Z][A-Z\d_]+)$|^getattr\(settings,['"](\w+)['"].*\)$/, words: SETTING },
  { asked: /^connections?(?:\[.*\])?\.(settings_dict)$/, words: CONNECTION },
  {
    asked: /^connections?(?:\[.*\])?\.in_atomic_block$/,
    words: CONNECTION,
    named: /\b(?:in_atomic_block|TransactionTestCase|LiveServerTestCase|transaction=True)\b/,
  },
  // An object of the project that keeps what another file has asked its environment.
  { asked: /^(?:config|settings|env|flags)\.((?:is|has|use|enable|disable|allow)[A-Z_]\w*)$/, words: SETTING },
  {
    asked:
      /^(?:process\.version|(?:process\.)?versions\.\w+|sys\.version|platform\.python_version\(\)|RUBY_VERSION|runtime\.Version\(\))[!=]==?['"](?:v|go)?\d+\.\d+\.\d+\b.*$/,
    words: 'the exact version of its runtime',
    named: /version/i,
  },
  {
    asked:
      /^(?:new )?Intl\.DateTimeFormat\(\)\.resolvedOptions\(\)\.(?:timeZone|locale)$|^time\.(?:tzname|timezone)\b.*$|^new Date\(\)\.getTimezoneOffset\(\)$/,
    words: 'the time zone or the language of the machine',
    named: /time_?zone|\bTZ\b|tzname|locale/i,
  },
  {
    asked:
      /^(?:import\.meta\.(?:url|filename|dirname)|__filename|__dirname|__file__|__dir__)\.(?:endsWith|includes|endswith|end_with\?|include\?)\(['"](?!.*(?:asar|node_modules|\$bunfs))(?:.*)['"]\)$/,
    words: 'the path of its own file',
    named: /(?!)/,
  },
  { asked: /^Thread\.(list)$/, words: THREADS },
  {
    asked: /^Process\.(p?pid)$|^(?:std::)?process::(id)\(\)$|^os\.(Getp?pid)\(\)$/,
    words: 'the number of its process',
  },
  {
    asked:
      /^process\.(argv0|execArgv|title|ppid|argv\[[01]\])$|^sys\.(argv\[0\]|path\[0\]|flags|orig_argv)$|^(\$LOAD_PATH|\$:)$/,
    words: 'its command line',
  },
  { asked: /^(?:getattr\()?(__main__)\b/, words: 'the program that it is in' },
  { asked: /^(import\.meta\.main|require\.main|globals\(\)|vars\(\))$/, words: 'the program that it is in' },
  {
    asked: new RegExp(
      String.raw`^(?:(?:fs|os\.path)\.)?(?:existsSync|exists|isfile)\(${FILE}\)$|^(?:pathlib\.)?Path\(${FILE}\)\.(?:exists|is_file|is_dir)\(\)$|^(?:File|Dir)\.(?:exist\?|file\?|directory\?)\(?${FILE}\)?$|^(?:(?:std::)?path::)?Path::new\(${FILE}\)\.(?:exists|is_file|is_dir)\(\)$|^(?:(?:std::)?fs::)(?:exists|metadata)\(${FILE}\)$|^os\.(?:Stat|Lstat)\(${FILE}\)$|^Files\.exists\(Paths?\.(?:of|get)\(${FILE}\)\)$|^new File\(${FILE}\)\.exists\(\)$`,
    ),
    words: 'a file of its working directory',
  },
  {
    asked: new RegExp(
      String.raw`^(?:fs\.)?readFileSync\((?:${FILE}|new URL\(${FILE},import\.meta\.url\))(?:,.*)?\)$|^(?:open\(${FILE}.*\)\.read|(?:pathlib\.)?Path\(${FILE}\)\.read_(?:text|bytes))\(.*\)$|^File\.read\(${FILE}\)$|^(?:std::)?fs::read(?:_to_string)?\(${FILE}\)$|^os\.ReadFile\(${FILE}\)$`,
    ),
    words: 'the content of a file of the project',
  },
  {
    asked:
      /^(?:Date\.now\(\)|new Date\(\)(?:\.\w+\(\))?|(?:datetime\.)?(?:date|datetime)\.(?:today|now|utcnow)\(.*\)(?:\.\w+)?|time\.time\(\)|(?:Time|DateTime)\.now|Date\.today|(?:(?:std::)?time::)?SystemTime::now\(\)|time\.Now\(\)|(?:LocalDate|LocalDateTime|Instant|ZonedDateTime)\.now\(\)|System\.currentTimeMillis\(\))$/,
    words: 'the day',
    named: CLOCKS,
  },
];

const ASKED =
  /^(?:member_expression|attribute|call|call_expression|new_expression|subscript|subscript_expression|comparison_operator|binary_expression|element_reference|method_invocation|global_variable|binary)$/;

/** Returns which property of its environment a node asks for. */
export function environmentSign(node: SyntaxNode, text: string): EnvironmentSign | undefined {
  return ASKED.test(node.kind) ? signOf(plainText(node, text)) : undefined;
}

/** The same for the text of an expression. */
export function signOf(written: string): EnvironmentSign | undefined {
  for (const asked of VARIABLES) {
    const name = asked.exec(written)?.[1];
    if (name === undefined) continue;
    if (ORDINARY.test(name)) return undefined;
    const words = OF_DESKTOPS.test(name) ? DESKTOP : `the variable ${name}`;
    return { words, named: wordOf(name), maySet: true };
  }
  for (const { asked, words, named } of SIGNS) {
    const match = asked.exec(written);
    if (match === null) continue;
    const name = match.slice(1).find((each) => each !== undefined) ?? '';
    return { words, named: named ?? wordOf(name), maySet: words === THREADS || words === SETTING };
  }
  return undefined;
}

export function wordOf(name: string): RegExp {
  return new RegExp(String.raw`(?<!\w)${name.replaceAll(/[.?()[\]$]/g, String.raw`\$&`)}(?!\w)`);
}
