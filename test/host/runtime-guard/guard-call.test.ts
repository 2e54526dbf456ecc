import { describe, expect, test } from 'vitest';
import { parseCall } from '../../../src/host/runtime-guard/guard-call.ts';

const ID = 'a'.repeat(64);
const VOLUME = 'fluffy-01234567-x_sandbox00';

describe('knows', () => {
  test.each([
    ['GET', '/_ping', { kind: 'ping' }, {}],
    ['GET', '/images/json', { kind: 'image-list' }, {}],
    ['POST', '/volumes/create', { kind: 'volume-create' }, {}],
    ['POST', '/volumes/create?', { kind: 'volume-create' }, {}],
    ['GET', '/volumes', { kind: 'volume-list' }, {}],
    ['DELETE', `/volumes/${VOLUME}`, { kind: 'volume-remove', name: VOLUME }, {}],
    ['DELETE', `/volumes/${VOLUME}?force=true`, { kind: 'volume-remove', name: VOLUME }, { force: 'true' }],
    ['POST', '/containers/create', { kind: 'container-create' }, {}],
    ['GET', '/containers/json?all=true', { kind: 'container-list' }, { all: 'true' }],
    ['GET', `/containers/${ID}/json`, { kind: 'container-inspect', id: ID }, {}],
    [
      'GET',
      `/containers/${ID}/logs?stdout=true&stderr=true&follow=1&tail=100`,
      { kind: 'container-logs', id: ID },
      { stdout: 'true', stderr: 'true', follow: '1', tail: '100' },
    ],
    [
      'DELETE',
      `/containers/${ID}?force=true&v=true`,
      { kind: 'container-remove', id: ID },
      { force: 'true', v: 'true' },
    ],
    ['POST', `/containers/${ID}/start`, { kind: 'container-do', id: ID, action: 'start' }, {}],
    ['POST', `/containers/${ID}/stop?t=5`, { kind: 'container-do', id: ID, action: 'stop' }, { t: '5' }],
    [
      'POST',
      `/containers/${ID}/kill?signal=SIGKILL`,
      { kind: 'container-do', id: ID, action: 'kill' },
      { signal: 'SIGKILL' },
    ],
    [
      'POST',
      `/containers/${ID}/wait?condition=not-running`,
      { kind: 'container-do', id: ID, action: 'wait' },
      { condition: 'not-running' },
    ],
    ['POST', `/containers/${ID}/pause`, { kind: 'container-do', id: ID, action: 'pause' }, {}],
    ['POST', `/containers/${ID}/unpause`, { kind: 'container-do', id: ID, action: 'unpause' }, {}],
    ['POST', '/fluffy/anchor', { kind: 'anchor' }, {}],
    ['GET', `/fluffy/signed-policy/${'a'.repeat(64)}`, { kind: 'signed-policy', sha256: 'a'.repeat(64) }, {}],
  ])('%s %s', (method, target, call, query) => {
    expect(parseCall(method, target)).toMatchObject({ kind: 'call', parsed: { call, query } });
  });
});

describe('knows nothing else', () => {
  test.each([
    // Endpoints of the engine
    ['POST', `/containers/${ID}/exec`],
    ['POST', '/exec/abc/start'],
    ['POST', `/containers/${ID}/update`],
    ['POST', `/containers/${ID}/attach`],
    ['GET', `/containers/${ID}/attach/ws`],
    ['POST', `/containers/${ID}/restart`],
    ['POST', `/containers/${ID}/rename?name=x`],
    ['POST', `/containers/${ID}/resize`],
    ['GET', `/containers/${ID}/archive?path=/etc`],
    ['PUT', `/containers/${ID}/archive?path=/etc`],
    ['GET', `/containers/${ID}/export`],
    ['GET', `/containers/${ID}/top`],
    ['GET', `/containers/${ID}/stats`],
    ['GET', `/containers/${ID}/changes`],
    ['POST', '/containers/prune'],
    ['POST', '/build'],
    ['POST', '/commit'],
    ['POST', '/images/create?fromImage=x'],
    ['POST', '/images/load'],
    ['DELETE', '/images/x'],
    ['GET', '/info'],
    ['GET', '/version'],
    ['GET', '/events'],
    ['POST', '/session'],
    ['POST', '/grpc'],
    ['POST', '/auth'],
    ['POST', '/networks/create'],
    ['POST', '/swarm/init'],
    ['GET', '/secrets'],
    ['POST', '/plugins/pull'],
    ['GET', `/volumes/${VOLUME}`],
    ['POST', '/volumes/prune'],
    // Other methods
    ['PUT', '/containers/create'],
    ['GET', '/containers/create'],
    ['HEAD', '/_ping'],
    ['OPTIONS', '/_ping'],
    ['PATCH', '/_ping'],
    ['get', '/_ping'],
    // Other spellings of a path
    ['GET', '//_ping'],
    ['GET', '/_ping/'],
    ['GET', '/v1.41/_ping'],
    ['GET', '/_ping#x'],
    ['GET', '/%5fping'],
    ['GET', 'http://engine/_ping'],
    ['GET', '/./_ping'],
    ['GET', `/containers/../containers/${ID}/json`],
    ['GET', `/containers/${ID}/../../info`],
    ['GET', `/containers/%2e%2e/info`],
    ['GET', `/containers/${ID}%2fjson`],
    ['GET', `/containers/${ID}/json/../exec`],
    ['GET', `/containers/${ID}/JSON`],
    ['GET', `/containers/${ID}\n/json`],
    ['GET', '*'],
    ['GET', ''],
    // Names
    ['GET', '/containers/postgres/json'],
    ['GET', `/containers/${ID.slice(1)}/json`],
    ['GET', `/containers/${ID}a/json`],
    ['GET', `/containers/${ID.toUpperCase()}/json`],
    ['DELETE', '/volumes/postgres'],
    ['DELETE', `/volumes/${VOLUME}-run`],
    ['DELETE', `/volumes/../${VOLUME}`],
    ['DELETE', `/volumes/${VOLUME}/`],
    ['DELETE', '/volumes/fluffy-01234567-x_..'],
    // Queries
    ['POST', '/containers/create?name=other'],
    ['POST', '/containers/create?platform=linux'],
    ['GET', '/containers/json?filters=%7B%7D'],
    ['GET', `/containers/${ID}/json?size=1`],
    ['POST', `/containers/${ID}/start?detachKeys=x`],
    ['POST', `/containers/${ID}/kill?signal=STOP`],
    ['POST', `/containers/${ID}/kill?signal=9`],
    ['POST', `/containers/${ID}/stop?t=31`],
    ['POST', `/containers/${ID}/stop?t=-1`],
    ['POST', `/containers/${ID}/stop?t=1&t=2`],
    ['GET', `/containers/${ID}/logs?stdout=1&since=0`],
    ['GET', `/containers/${ID}/logs?stdout=1%26x`],
    ['GET', `/containers/${ID}/logs?__proto__=1`],
    ['GET', `/containers/${ID}/logs?constructor=1`],
    ['DELETE', `/containers/${ID}?link=1`],
    ['GET', '/_ping?x'],
    ['GET', '/_ping??'],
  ])('%s %s', (method, target) => {
    expect(parseCall(method, target)).toMatchObject({ kind: 'refused' });
  });
});
