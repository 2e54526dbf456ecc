import { expect, it } from 'vitest';
import { addedEffects } from '../../../../src/kernel/proof/mutation/added-effects.ts';
import { changedText } from '../../../../src/kernel/proof/mutation/changed-hunks.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** Each source has one old function, with a mark for what is added. */
const OLD: Readonly<Record<string, string>> = {
  'a.js':
    'export function add(users, user) {\n  if (users.has(user)) throw new Error("known");\n§  users.add(user);\n  return users.size;\n}\n',
  'a.ts': 'class Users {\n  add(user: User): number {\n§    return this.all.push(user);\n  }\n}\n',
  'a.py': 'def add(users, user):\n    users.append(user)\n§    return len(users)\n',
  'a.go': 'package a\n\nfunc Add(users []string, user string) int {\n§\treturn len(users)\n}\n',
  'b.go': 'package a\n\nfunc Add(users []string, user string) (int, error) {\n§\treturn len(users), nil\n}\n',
  'a.rb': 'module Users\n  def self.add(users, user)\n    users << user\n§    users.size\n  end\nend\n',
  'a.php': '<?php\nfunction add(array $users, $user) {\n    $users[] = $user;\n§    return $users;\n}\n',
  'A.java': 'class A {\n  int add(List<String> users, String user) {\n§    return users.size();\n  }\n}\n',
  'a.rs': 'pub fn add(users: &mut Vec<String>, user: &str) -> usize {\n§    users.len()\n}\n',
  'a.cpp': 'int add(std::vector<int> &users, int user) {\n§  return users.size();\n}\n',
};

async function found(path: string, added: string): Promise<string[]> {
  const source = OLD[path] ?? '';
  const change = changedText(
    source.replace('§', ''),
    source.replace('§', () => added),
  );
  return (await addedEffects(path, change, parse)).map(({ words }) => words);
}

it.each<[string, string, string]>([
  ['a.js', '  audit.send(user);', 'audit.send(user);'],
  ['a.js', '  await audit.send(user);', 'await audit.send(user);'],
  ['a.js', '  const sent = audit.send(user);', 'const sent = audit.send(user);'],
  ['a.js', "  process.env.STRICT = '0';", "process.env.STRICT = '0';"],
  ['a.js', '  console.log(user);', 'console.log(user);'],
  ['a.js', '  console.log(`new: ${user.password}`);', 'console.log(`new: ${user.password}`);'],
  ['a.js', "  if (user.name === 'root') return 1;", "if (user.name === 'root') return 1;"],
  ['a.js', '  if (user.isKnown) return;', 'if (user.isKnown) return;'],
  ['a.js', "  send(user, () => console.log('sent'));", "send(user, () => console.log('sent'));"],
  ['a.js', "  logger.info('added', remove(user));", "logger.info('added', remove(user));"],
  ['a.js', '  log.debug({ user });', 'log.debug({ user });'],
  [
    'a.js',
    '  log.debug({ mail: user.mail, hash: user.password });',
    'log.debug({ mail: user.mail, hash: user.password });',
  ],
  ['a.js', "  app.on('end', () => send(user));", "app.on('end', () => send(user));"],
  ['a.js', "  app.on('end', () => {});", "app.on('end', () => {});"],
  [
    'a.js',
    "  process.on('uncaughtException', (e) => console.error('failed', e));",
    "process.on('uncaughtException', (e) => console.error('failed', e));",
  ],
  ['a.js', '  server.requestTimeout = 0;', 'server.requestTimeout = 0;'],
  ['a.ts', '    unlinkSync(user.path);', 'unlinkSync(user.path);'],
  ['a.py', '    requests.post(URL, user)', 'requests.post(URL, user)'],
  ['a.py', '    _ = os.remove(user.path)', '_ = os.remove(user.path)'],
  ['a.py', '    os.environ["STRICT"] = "0"', 'os.environ["STRICT"] = "0"'],
  ['a.py', '    if user.name == "root":\n        return 1', 'if user.name == "root":         return 1'],
  ['a.go', '\t_ = os.Remove(user)', '_ = os.Remove(user)'],
  ['a.go', '\tgo send(user)', 'go send(user)'],
  ['b.go', '\tif user == "root" {\n\t\treturn 1, nil\n\t}', 'if user == "root" { return 1, nil }'],
  ['a.go', '\tdefer os.Remove(user)', 'defer os.Remove(user)'],
  ['a.rb', '    system("true", user)', 'system("true", user)'],
  ['a.rb', '    `true #{user.path}`', '`true #{user.path}`'],
  ['a.rb', '    return 1 if user == "root"', 'return 1 if user == "root"'],
  ['a.php', '    file_put_contents(LOG, $user);', 'file_put_contents(LOG, $user);'],
  ['A.java', '    new File(user).delete();', 'new File(user).delete();'],
  ['A.java', '    System.out.println(user);', 'System.out.println(user);'],
  ['a.rs', '    let _ = std::fs::remove_file(user);', 'let _ = std::fs::remove_file(user);'],
  ['a.cpp', '  std::remove(path(user));', 'std::remove(path(user));'],
])('leaves out what is added to an old function of %s: %s', async (path, added, shown) => {
  expect(await found(path, `${added}\n`)).toEqual([`\`${shown}\` is left out`]);
});

it.each<[string, string]>([
  ['a.js', '  logger.info(`added ${user.id}`);'],
  ['a.js', '  if (!user.mail) return 0;'],
  ['a.js', "  if (user.mail === '') throw new Error('no mail');"],
  ['a.js', '  clearTimeout(timer);'],
  ['a.js', '  log.debug({ mail: user.mail, ms: Date.now() - started });'],
  ['a.js', '  this.options.logger?.info(`added ${user.id}`);'],
  ['a.js', "  process.stderr.write('added\\n');"],
  ['a.js', "  process.on('SIGTERM', () => server.close());"],
  ['a.js', "  server.on('error', (error) => console.error('failed', error));"],
  ['a.js', '  server.requestTimeout = 30_000;'],
  ['a.js', '  this.logger = logger;'],
  ['a.js', '  await sleep(100);'],
  ['a.js', '  signal?.throwIfAborted();'],
  ['a.js', '  if (error) return callback(error);'],
  ['a.js', '  const size = users.size;\n  users.size = size;'],
  ['a.py', '    logger.info("added %s", user.id)'],
  ['a.py', '    logger.info("added %d users", len(users), extra={"mail": user.mail})'],
  ['a.py', '    logging.basicConfig(level=logging.DEBUG if verbose else logging.INFO)'],
  ['a.py', '    response.raise_for_status()'],
  ['a.py', '    if user is None:\n        return 0'],
  ['a.go', '\tif user == "" {\n\t\treturn 0\n\t}'],
  ['b.go', '\tif err != nil {\n\t\treturn 0, fmt.Errorf("add: %w", err)\n\t}'],
  ['b.go', '\tif len(user) > 9 {\n\t\treturn 0, ErrTooLong\n\t}'],
  ['a.go', '\ts.logger.Info("added", zap.String("user", user))'],
  ['a.go', '\tlogrus.WithField("user", user).Info("added")'],
  ['a.rb', '    return nil if user.nil?'],
  ['a.rb', '    Rails.logger.info("added #{user}")'],
  ['a.rb', '    @logger&.info("added #{user}")'],
  ['a.php', '    $this->logger?->info("added $user");'],
  ['a.php', '    fclose($file);'],
  ['a.php', "    if ($user === '') {\n        throw new InvalidArgumentException('no user');\n    }"],
  ['A.java', '    Objects.requireNonNull(user, "user");'],
  ['a.rs', '    println!("added {user}");'],
  ['a.rs', '    tracing::debug!("added {}", user.id());'],
  ['a.rs', '    info!(user = %user.id(), "added");'],
  ['a.rs', '    if users.len() > 9 {\n        return Err(Error::Full(users.len()));\n    }'],
])('leaves nothing out of %s that is rarely tested: %s', async (path, added) => {
  expect(await found(path, `${added}\n`).then((all) => all.filter((each) => !each.includes('users.size')))).toEqual([]);
});

it.each<[string, string, string]>([
  ['return users.size;', 'return (send(user), users.size);', 'a call in an expression'],
  ['if (users.has(user))', 'if (users.has(user) && !user.isForced)', 'a further condition'],
  ['users.add(user)', 'users.add({ ...user, ...user.rights })', 'a spread'],
  ['return users.size;', 'return String(users.size);', ''],
  ['return users.size;', 'return (console.log(user), users.size);', 'a call in an expression'],
  ['return users.size;', "return (send('users', user), users.size);", 'a call in an expression'],
  ['users.add(user);', "users.add(user, () => console.log('added'));", ''],
  ['if (users.has(user))', 'if (user && users.has(user))', ''],
])('puts `%s` back in place of `%s` for %s', async (from, to, what) => {
  const before = (OLD['a.js'] ?? '').replace('§', '');
  const change = changedText(before, before.replace(from, to));
  const texts = (await addedEffects('a.js', change, parse)).map(({ text }) => text);
  expect(texts).toEqual(what === '' ? [] : [before]);
});

it('leaves nothing out of a new function, or that has only moved', async () => {
  const before = 'export function add(users, user) {\n  send(user);\n  return users.size;\n}\n';
  const moved = 'export function add(users, user) {\n  const { size } = users;\n  send(user);\n  return size;\n}\n';
  const after = `${moved}\nexport function drop(users, user) {\n  remove(user);\n  return users.size;\n}\n`;
  expect(await addedEffects('a.js', changedText(before, after), parse)).toEqual([]);
});

it.each<[string, boolean]>([
  ['@csrf_exempt', true],
  ['@route("/open", methods=["GET"])', true],
  ['@login_required', false],
  ['@functools.lru_cache', false],
])('asks for the decorator %s of an old function: %s', async (decorator, isAsked) => {
  const before = 'def index(request):\n    return request.user\n';
  const texts = (await addedEffects('a.py', changedText(before, `${decorator}\n${before}`), parse)).map(
    ({ text }) => text,
  );
  expect(texts).toEqual(isAsked ? [`\n${before}`] : []);
});

it.each<[string, string, string]>([
  ['a.go', '\t_ = os.Remove(user)\n', '\t_, _ = os.Remove, user\n'],
  ['a.go', '\tgo func() { send(user) }()\n', '\t_ = func() { send(user) }\n'],
  ['a.go', '\tif user == "root" {\n\t\treturn 1\n\t}\n', '\tif false && (user == "root") {\n\t\treturn 1\n\t}\n'],
  ['a.py', '    if user == "root":\n        return 1\n', '    if False and (user == "root"):\n        return 1\n'],
  ['a.rb', '    return 1 if user == "root"\n', '    return 1 if false && (user == "root")\n'],
  [
    'a.js',
    '  if (user.isRoot) return 1; else users.add(user);\n',
    '  if (false && ((user.isRoot))) return 1; else users.add(user);\n',
  ],
])('leaves a source of %s that can be built: %s', async (path, added, without) => {
  const source = OLD[path] ?? '';
  const change = changedText(
    source.replace('§', ''),
    source.replace('§', () => added),
  );
  const texts = (await addedEffects(path, change, parse)).map(({ text }) => text);
  expect(texts).toContain(source.replace('§', () => without));
});
