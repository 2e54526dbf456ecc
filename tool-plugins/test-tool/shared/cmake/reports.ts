/** The reports of GoogleTest, Catch2 and doctest, as cases. */
import { XML_PART, attributesOf, decodedXml } from '../xml.ts';

export interface CxxCase {
  /** As the framework selects it. */
  readonly id: string;
  readonly names: readonly string[];
  /** As the compiler had it; '' where the report does not say. */
  readonly file: string;
  readonly status: 'passed' | 'failed' | 'skipped' | 'todo';
  readonly seconds: number;
  readonly message: string;
  /** It failed by something that was thrown. */
  readonly isError: boolean;
}

interface GoogleReport {
  readonly testsuites?: readonly {
    readonly name: string;
    readonly testsuite: readonly {
      readonly name: string;
      readonly file?: string;
      readonly result: string;
      readonly status: string;
      readonly time: string;
      readonly value_param?: string;
      readonly failures?: readonly { readonly failure: string }[];
    }[];
  }[];
}

/** `--gtest_output=json:`. Throws on what is none. */
export function readGoogleReport(text: string): CxxCase[] {
  const { testsuites = [] } = JSON.parse(text) as GoogleReport;
  return testsuites.flatMap(({ name: suite, testsuite }) =>
    testsuite.map(({ name, file = '', result, status, time, failures = [] }) => {
      const message = failures.map(({ failure }) => failure).join('\n');
      const isRun = status === 'RUN' && result === 'COMPLETED';
      return {
        id: `${suite}.${name}`,
        names: [suite, name],
        file,
        status: !isRun ? ('skipped' as const) : failures.length > 0 ? ('failed' as const) : ('passed' as const),
        seconds: Number.parseFloat(time),
        message,
        isError: /^(?:unknown file[^\n]*\n)?.*C\+\+ exception with description|Unknown C\+\+ exception/m.test(message),
      };
    }),
  );
}

interface Open {
  readonly attributes: Readonly<Record<string, string>>;
  readonly suite: string;
  readonly said: string[];
  passed: boolean | null;
  skips: boolean;
  isError: boolean;
  seconds: number;
}

const FAILURES = new Set(['Expression', 'Exception', 'FatalErrorCondition', 'Failure', 'Message', 'Info']);

/** `-r xml` of Catch2 and of doctest. A case that may fail, or has to, is none that passes. */
export function readCaseXml(text: string): CxxCase[] {
  const found: CxxCase[] = [];
  let suite = '';
  let open: Open | null = null;
  let isText = false;
  const close = (): void => {
    if (open !== null) found.push(caseOf(open));
    open = null;
  };
  for (const [, data, end, tag, written = '', closed, plain] of text.matchAll(XML_PART)) {
    if (tag === undefined) {
      const said = (data ?? decodedXml(plain ?? '')).trim();
      if (isText && said !== '') (open as Open | null)?.said.push(said);
      continue;
    }
    const attributes = attributesOf(written);
    if (tag === 'TestSuite' && end !== '/') suite = attributes['name'] ?? '';
    else if (tag === 'TestCase') {
      close();
      if (end !== '/') open = { attributes, suite, said: [], passed: null, skips: false, isError: false, seconds: 0 };
      if (closed === '/') close();
    } else if (open !== null && FAILURES.has(tag)) {
      isText = end !== '/' && closed !== '/';
      (open as Open).isError ||= tag === 'Exception' || tag === 'FatalErrorCondition';
      if (end !== '/' && attributes['filename'] !== undefined)
        (open as Open).said.push(`${attributes['filename']}:${attributes['line'] ?? ''}: ${attributes['type'] ?? tag}`);
    } else if (open !== null && tag === 'Skip') (open as Open).skips = true;
    else if (open !== null && /^OverallResult(?:sAsserts)?$/.test(tag)) {
      const verdict = attributes['success'] ?? attributes['test_case_success'];
      (open as Open).passed = verdict === 'true';
      (open as Open).skips ||= Number(attributes['skips'] ?? 0) > 0;
      (open as Open).seconds = Number(attributes['durationInSeconds'] ?? attributes['duration'] ?? 0);
    }
  }
  close();
  return found;
}

function caseOf({ attributes, suite, said, passed, skips, isError, seconds }: Open): CxxCase {
  const name = attributes['name'] ?? '';
  const isPlanned =
    /\[!(?:mayfail|shouldfail)\]/.test(attributes['tags'] ?? '') ||
    attributes['may_fail'] === 'true' ||
    attributes['should_fail'] === 'true';
  const isSkipped = skips || attributes['skipped'] === 'true';
  return {
    id: name,
    names: suite === '' ? [name] : [suite, name],
    file: attributes['filename'] ?? '',
    status: isSkipped ? 'skipped' : passed !== true ? 'failed' : isPlanned ? 'todo' : 'passed',
    seconds: Number.isFinite(seconds) ? seconds : 0,
    message: said.join('\n'),
    isError,
  };
}
