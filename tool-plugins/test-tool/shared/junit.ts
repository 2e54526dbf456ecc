import type { ReportedResult } from './reported-result.ts';
import { XML_PART, attributesOf, decodedXml } from './xml.ts';

/** A case with what few runners say of it. */
export interface JunitCase extends ReportedResult {
  /** Names of the suites around it, the outermost first. */
  readonly suites: readonly string[];
  /** Class of the error that it failed with; '' where the report does not say. */
  readonly type: string;
  /** What the report has in the element of the failure. */
  readonly text: string;
}

interface OpenCase {
  readonly attributes: Readonly<Record<string, string>>;
  readonly suites: readonly string[];
  status: ReportedResult['status'];
  isError: boolean;
  type: string;
  readonly said: string[];
  readonly texts: string[];
}

/** A result of one attempt. The last two: it failed, and passed when it was repeated. */
const RESULTS = new Set(['failure', 'error', 'skipped', 'flakyFailure', 'flakyError']);

/** As ctest and GoogleTest mark a case that they have left out. */
const NOT_RUN = /^(?:disabled|notrun)$/;

/**
 * The test cases of a JUnit report, as Maven Surefire, Gradle, pytest, ctest and many others write it. Nothing outside of the text is read: entities
 * other than those of XML itself stay as they are. A suite that counts an error outside of its cases is a failed case.
 */
export function readJunit(text: string): JunitCase[] {
  const found: JunitCase[] = [];
  const suites: string[] = [];
  let open: OpenCase | null = null;
  let isText = false;
  const close = (): void => {
    if (open !== null) found.push(resultOf(open));
    open = null;
  };
  for (const [, data, end, tag, attributes = '', closed, plain] of text.matchAll(XML_PART)) {
    if (tag === undefined) {
      if (isText && open !== null) addText(open, data ?? decodedXml(plain ?? ''));
      continue;
    }
    const isEnd = end === '/';
    if (tag === 'testsuite') {
      close();
      if (isEnd) suites.pop();
      else if (closed !== '/') suites.push(attributesOf(attributes)['name'] ?? '');
    } else if (tag === 'testcase') {
      close();
      if (!isEnd) open = opened(attributes, suites);
      if (closed === '/') close();
    } else if (open !== null && RESULTS.has(tag)) {
      const current = open as OpenCase;
      isText = !isEnd && closed !== '/';
      if (!isEnd) {
        current.status = tag === 'skipped' ? 'skipped' : 'failed';
        current.isError ||= /error$/i.test(tag);
        const { message, type } = attributesOf(attributes);
        current.said.push(message ?? type ?? '');
        current.type = type ?? '';
      }
    } else if (open !== null && /^system-(?:out|err)$/.test(tag)) isText = !isEnd && closed !== '/';
  }
  close();
  return found;
}

function opened(attributes: string, suites: readonly string[]): OpenCase {
  const own = attributesOf(attributes);
  const status = NOT_RUN.test(own['status'] ?? '') ? 'skipped' : 'passed';
  return { attributes: own, suites: [...suites], status, isError: false, type: '', said: [], texts: [] };
}

function addText({ said, texts }: OpenCase, text: string): void {
  said.push(text);
  texts.push(text);
}

function resultOf({ attributes, suites, status, isError, type, said, texts }: OpenCase): JunitCase {
  const seconds = Number(attributes['time']?.replaceAll(',', '') ?? 0);
  return {
    name: attributes['name'] ?? '(without a name)',
    place: attributes['file'] ?? attributes['classname'] ?? '',
    status,
    isError,
    seconds: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
    message: said.join('\n').trim(),
    suites,
    type,
    text: texts.join('').trim(),
  };
}
