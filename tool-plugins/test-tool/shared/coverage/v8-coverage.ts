import { Session } from 'node:inspector';
import type { Debugger, Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { executedLines } from './executed-lines.ts';
import type { CoveredScript } from './executed-lines.ts';

/** The lines that this process has run of some files, by V8's own count: no variable, no file and no changed text shows that they are counted. */
export class V8Coverage {
  readonly #session = new Session();
  readonly #files: readonly string[];
  readonly #scripts = new Map<string, Debugger.ScriptParsedEventDataType>();

  /** Begins to count. `files` are absolute. */
  constructor(files: readonly string[]) {
    this.#files = files;
    if (files.length === 0) return;
    this.#session.connect();
    this.#session.on('Debugger.scriptParsed', ({ params }) => this.#scripts.set(params.scriptId, params));
    this.#session.post('Debugger.enable');
    this.#session.post('Debugger.setSkipAllPauses', { skip: true });
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** By place in `files`. What cannot be measured is not there. */
  executed(): Map<number, number[]> {
    const found = new Map<number, number[]>();
    if (this.#files.length === 0) return found;
    let covered: readonly Profiler.ScriptCoverage[] = [];
    // With an open session everything is answered at once.
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error === null) covered = taken.result;
    });
    for (const { url, scriptId, functions } of covered) {
      const place = this.#files.indexOf(pathOf(url));
      if (place === -1) continue;
      const code = this.#codeOf(scriptId);
      const lineOf = lineFinder(this.#scripts.get(scriptId)?.sourceMapURL ?? '');
      // A loader that compiles without a map: its lines are not those of the file.
      if (lineOf === null && !isTextOf(code, textOf(this.#files[place] ?? ''))) continue;
      const lines = executedLines({ functions, code, lineOf, isWrapped: false });
      found.set(place, [...new Set([...(found.get(place) ?? []), ...lines])]);
    }
    this.#session.disconnect();
    return found;
  }

  #codeOf(scriptId: string): string {
    let code = '';
    this.#session.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource }) => {
      if (error === null) code = scriptSource;
    });
    return code;
  }
}

/** Whether a script is the text of a file, where types may be blanked out, and a loader may have written something behind it. */
function isTextOf(code: string, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const character = code[at] ?? '';
    if (character !== text[at] && !/[\s;]/.test(character)) return false;
  }
  return true;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '';
  }
}

/** The file of a script; loaders add queries to the names of files. */
export function pathOf(url: string): string {
  try {
    const path = url.startsWith('file://') ? fileURLToPath(url.replace(/[?#].*$/s, '')) : url.replace(/\?.*$/s, '');
    return realpathSync(path);
  } catch {
    return '';
  }
}

const DATA = /^data:application\/json[^,]*,/;

/** By a map within the text; a text without a map is the file itself. */
export function lineFinder(sourceMapUrl: string): CoveredScript['lineOf'] {
  if (!DATA.test(sourceMapUrl)) return null;
  const data = sourceMapUrl.replace(DATA, '');
  const isBase64 = sourceMapUrl.slice(0, sourceMapUrl.indexOf(',')).endsWith(';base64');
  const text = isBase64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
  return linesOfMap(text);
}

/** By the text of a map. */
export function linesOfMap(text: string): CoveredScript['lineOf'] {
  try {
    const map = new SourceMap(JSON.parse(text) as ConstructorParameters<typeof SourceMap>[0]);
    return (line, column) => {
      const entry = map.findEntry(line, column);
      return 'originalLine' in entry ? entry.originalLine : null;
    };
  } catch {
    return () => null;
  }
}
