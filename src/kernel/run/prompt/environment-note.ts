import { oneLine } from '../../../lib/text/one-line.ts';
import { taggedNote, withoutNoteTags } from '../../context/tagged-note.ts';
import type { TestNetwork } from '../../../contracts/sandbox/test-network.ts';
import type { Layout } from './layout.ts';

export interface EnvironmentFacts {
  /** Day, YYYY-MM-DD. */
  readonly date: string;
  readonly branch: string | null;
  /** Directory of the user, project-relative; '' is the project root. */
  readonly cwd: string;
  /** Paths with the user's uncommitted changes. */
  readonly uncommitted: readonly string[];
  /** Subjects of commits, newest first. Untrusted text. */
  readonly subjects: readonly string[];
  readonly layout: Layout;
  /** Services and hosts that tests can use; null if there are none. */
  readonly network: TestNetwork | null;
  /** The definitions in the sources, by file; '' if they are not shown. Untrusted text of the project. */
  readonly map: string;
}

const MAX_SUBJECT = 100;
const MAX_UNCOMMITTED = 10;
const MAX_NAME = 200;

/** Describes the environment of the model. It is sent once, and again only after a compaction has removed it. Pure. */
export function environmentNote(facts: EnvironmentFacts): string {
  const { date, branch, cwd, uncommitted, subjects, layout, network, map } = facts;
  const sections = [
    [`Date: ${date}. Commands and tests run on Linux, in a sandbox without network.`, ...networkLines(network)].join(
      '\n',
    ),
    [
      branch === null ? '' : `Branch: ${branch.replace(/^refs\/heads\//, '')}.`,
      cwd === '' ? '' : `The user is in ${cwd}.`,
      uncommittedLine(uncommitted),
    ]
      .filter((part) => part !== '')
      .join(' '),
    subjects.length === 0
      ? ''
      : ['Recent commits, the newest first:', ...subjects.map((each) => `- ${oneLine(each, MAX_SUBJECT)}`)].join('\n'),
    layoutText(layout),
    mapSection(map),
  ];
  return taggedNote('environment', withoutNoteTags(sections.filter((part) => part !== '').join('\n\n')));
}

function networkLines(network: TestNetwork | null): string[] {
  if (network === null) return [];
  const services = network.services.map(({ name, port }) => `${name} (localhost:${port})`);
  const hosts = Object.values(network.groups).flat();
  const variables = Object.keys(network.variables);
  return [
    ...(services.length === 0
      ? []
      : [`Each run of the tests has new, empty services of its own: ${services.join(', ')}. Commands have none.`]),
    ...(hosts.length === 0 ? [] : [`test.run with network: true can be allowed these hosts: ${hosts.join(', ')}.`]),
    ...(variables.length === 0 ? [] : [`The tests get the variables ${variables.join(', ')}.`]),
  ];
}

function mapSection(map: string): string {
  if (map === '') return '';
  const lines = map.split('\n').map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line, 2 * MAX_NAME)}`);
  return ['Definitions, of the files that are used most:', ...lines].join('\n');
}

function uncommittedLine(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > MAX_UNCOMMITTED ? ` and ${paths.length - MAX_UNCOMMITTED} more` : '';
  const named = paths.slice(0, MAX_UNCOMMITTED).map((path) => oneLine(path, MAX_NAME));
  return `Not committed by the user yet: ${named.join(', ')}${more}.`;
}

function layoutText({ files, hasMore, languages, manifests, entryPoints, tree }: Layout): string {
  if (files === 0) return 'The project has no files yet.';
  const named = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}: ${items.map((each) => oneLine(each, MAX_NAME)).join(', ')}.`];
  return [
    ...named(
      'Languages',
      languages.map(([name, count]) => `${name} (${count} files)`),
    ),
    ...named('Packages', manifests),
    ...named('Entry points', entryPoints),
    `Files, ${hasMore ? 'the first ' : ''}${files}, with the number beneath each directory:`,
    ...tree.map((line) => `${/^ */.exec(line)?.[0] ?? ''}${oneLine(line, 2 * MAX_NAME)}`),
  ].join('\n');
}
