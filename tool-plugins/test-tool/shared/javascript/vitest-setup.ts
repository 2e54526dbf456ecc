import { ALL_THROW, ASSERT_FALSEHOODS, expectFalsehoods } from '../falsehoods.ts';
import { CANARIES_SOURCE, SECRETS_KEY } from './setup-secrets.ts';
import { GUARDED, WATCHED } from '../watched.ts';

/** Source of `counting(files)`: V8 counts what runs of some files from then on, and the function that is answered tells it once. */
const COUNTED = `function counting(files) {
  const session = new Session();
  const maps = new Map();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params }) => maps.set(params.scriptId, params.sourceMapURL));
  session.post('Debugger.enable');
  session.post('Debugger.setSkipAllPauses', { skip: true });
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return () => {
    const found = [];
    session.post('Profiler.takePreciseCoverage', (error, taken) => {
      for (const { url, scriptId, functions } of error === null ? taken.result : []) {
        const place = files.indexOf(url.replace(/^file:\\/\\//, '').replace(/[?#].*$/, ''));
        if (place !== -1) session.post('Debugger.getScriptSource', { scriptId }, (_, { scriptSource }) => {
          found.push({ place, functions, code: scriptSource, map: maps.get(scriptId) ?? '' });
        });
      }
    });
    session.disconnect();
    return found;
  };
}`;

/**
 * A setup file that vitest runs in the worker of every test file, before it. Two pairs of tests show whether the runner runs tests at all; the hook runs last,
 * after the file's tests and the source they load, and shows whether each kind of assertion still works, and whether matchers and the worker's way to report
 * are those from before. It always throws; `NONCE:passed:failed` is the message where nothing is stubbed, of one canary that must pass and one that must
 * fail. The text itself has no secret: the names and the nonce are taken out of what is provided to the worker, so that no later code finds them.
 */
export const SETUP_SOURCE = `import nodeAssert from 'node:assert';
import { randomInt } from 'node:crypto';
import { Session } from 'node:inspector';
import * as api from 'vitest';
const { afterAll, assert, chai, describe, expect, test, vi } = api;
const worker = globalThis.__vitest_worker__;
const secrets = worker.providedContext['${SECRETS_KEY}'];
const { nonce, cover } = secrets;
${COUNTED}
const counted = cover.length > 0 ? counting(cover) : () => [];
delete worker.providedContext['${SECRETS_KEY}'];
const SELF = import.meta.url;
for (const config of [worker.config, worker.ctx?.config]) {
  if (Array.isArray(config?.setupFiles)) config.setupFiles = config.setupFiles.filter((each) => !SELF.endsWith(each));
}
let replaced = false;
const { rpc } = worker;
Object.defineProperty(worker, 'rpc', { get: () => rpc, set: () => { replaced = true; }, enumerable: true, configurable: false });
${WATCHED}
${GUARDED}
const guard = guarded([nodeAssert, nodeAssert.strict]);
const isSame = watched([
  ...[chai.Assertion.prototype, chai.assert, chai.util, nodeAssert.AssertionError.prototype],
  ...[expect, test, describe, api.TestRunner?.prototype, Object.getPrototypeOf(vi.fn().mock)],
]);
const given = globalThis.expect;
const isWhole = () => isSame() && !guard.isReplaced() && !replaced && globalThis.__vitest_worker__ === worker && worker.rpc === rpc && globalThis.expect === given;
const one = randomInt(1, 2 ** 40);
${CANARIES_SOURCE}
const expects = () => [expect, ...(typeof globalThis.expect === 'function' ? [globalThis.expect] : [])];
function truthsHold() {
  try {
    for (const each of expects()) { each(1).toBe(1); each({ a: 1 }).toEqual({ a: 1 }); }
    assert.equal(1, 1);
    return true;
  } catch { return false; }
}
${ALL_THROW}
async function falsehoodsFail() {
  if (!isWhole()) return false;
  const falsehoods = [
    ...expects().flatMap((each) => ${expectFalsehoods('vi.fn()')}),
    ...expects().map((each) => () => each(1).to.equal(2)),
    () => expect.unreachable(),
    () => assert(false),
    () => assert.equal(1, 2),
    () => assert.deepEqual([1], [2]),
    ...${ASSERT_FALSEHOODS},
  ];
  return allThrow(falsehoods);
}
afterAll(async () => {
  const falsehoods = (await falsehoodsFail()) ? 'failed' : 'passed';
  throw new Error(nonce + ':' + (truthsHold() ? 'passed' : 'failed') + ':' + falsehoods + ':' + JSON.stringify(counted()));
});
`;
