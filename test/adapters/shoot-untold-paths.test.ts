import { expect, test } from 'vitest';
import { joinedLookup } from '../../src/adapters/shoot/joined-lookup.ts';
import { connectionFailure } from '../../src/adapters/shoot/shoot-failure.ts';
import { judgePath } from '../../src/domain/prober/shoot-path.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { settled, VirtualClock } from '@dwd/testing/virtual-clock.ts';
import { fine, kubeconfigFor, pathTimeout, shootStage, startedAt } from '@dwd/testing/shoot-stage.ts';

// What this machine itself could not do tells nothing of a path.

const paths = ['internal', 'external'] as const;
const twoPaths = { config: twoPathConfig };

const local = [
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EAI_MEMORY',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EPERM',
  'EACCES',
  'EAI_AGAIN',
  'EAI_FAIL',
  'ETIMEOUT',
  'ESERVFAIL',
  'EREFUSED',
];
const remote = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EPROTO'];
const fault = (code: string) => Object.assign(new Error(code), { code });
const several = (...codes: readonly string[]) =>
  Object.assign(new AggregateError(codes.map(fault)), { code: codes[0] });
const judged = (error: Error) => {
  const { failure } = connectionFailure(error, 'api:443', false);
  return judgePath({ stage: 'external', ...failure });
};

test.each(local)('4.9 %s tells nothing of the path', (code) => {
  const { failure } = connectionFailure(fault(code), 'api:443', false);
  expect(failure).toEqual({
    reason: 'local',
    detail: expect.stringMatching(/^this machine could not open a connection to api:443: [a-z ,]+$/),
  });
  expect(judged(fault(code))).toBe('untold');
});

test.each(remote)('4.9 %s is a failure of the path', (code) => {
  expect(connectionFailure(fault(code), 'api:443', false).failure.reason).toBe('unreachable');
  expect(judged(fault(code))).toBe('failed');
});

test('4.9 of several addresses one that another machine refuses counts, wherever it stands', () => {
  expect(judged(several('EADDRNOTAVAIL', 'ECONNREFUSED'))).toBe('failed');
  expect(judged(several('ECONNREFUSED', 'EADDRNOTAVAIL'))).toBe('failed');
  expect(judged(several('EAFNOSUPPORT', 'EMFILE'))).toBe('untold');
});

test.each(paths)('4.9 a name that cannot be looked up for want of files is no failure of the %s path', async (path) => {
  await using stage = await shootStage(fine, {
    ...twoPaths,
    lookup: (_name, _options, found) => found(fault('EMFILE'), '', 0),
  });
  const named = kubeconfigFor({ url: 'https://api.one.example', ca: stage.server.ca });
  Object.assign(stage, { kubeconfig: named, external: named });
  expect(await stage.ask(path)).toMatchObject({ stage: path, reason: 'local' });
});

test.each([
  [0.45, 'timeout'],
  [0.55, 'local'],
  [1.1, 'local'],
])('4.9 a question that waited here for %f of its time, and then for an answer: %s', async (share, reason) => {
  await using stage = await shootStage(() => undefined, twoPaths);
  const now = stage.clock.now.bind(stage.clock);
  stage.onPrepare = () => {
    stage.clock.now = () => now() + share * pathTimeout;
  };
  const answer = stage.ask('external');
  if (share < 1) await stage.server.hasReceived(1);
  expect(await stage.clock.until(answer)).toMatchObject({ stage: 'external', reason });
  await stage.server.hasOpen(0);
});

test('4.9 a question whose turn comes after its deadline opens nothing', async () => {
  await using stage = await shootStage(fine, twoPaths);
  const answer = await stage.api.askPath('shoot--a--b', 'external', startedAt, new AbortController().signal);
  expect(answer).toEqual({
    stage: 'external',
    reason: 'local',
    detail: 'this machine was too late to ask: the path had less than half of its time',
  });
  expect(stage.server.connections).toBe(0);
});

test('3.4 4.9 names that nobody resolves hold up neither the internal paths nor more than sixteen look-ups', async () => {
  const hanging: string[] = [];
  await using stage = await shootStage(fine, {
    ...twoPaths,
    lookup: (name, _options, found) => {
      if (name.endsWith('.dead.example')) hanging.push(name);
      else found(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  const { port } = new URL(stage.server.url);
  const named = (name: string) =>
    kubeconfigFor({ url: `https://${name}:${port}`, ca: stage.server.ca }, { 'tls-server-name': 'localhost' });
  const asked = [];
  for (let shoot = 0; shoot < 20; shoot++) {
    stage.external = named(`api-${shoot}.dead.example`);
    asked.push(stage.ask('external'));
    // The kubeconfig is read when its turn has come.
    await settled();
    await settled();
  }
  expect(hanging).toHaveLength(16);
  stage.kubeconfig = named('kube-apiserver.one.svc');
  expect(await stage.ask('internal')).toBeUndefined();
  const told = await Promise.all(asked.map((one) => stage.clock.until(one)));
  expect(new Set(told.map((failure) => failure?.reason))).toEqual(new Set(['local']));
  const hung = told.filter((failure) => failure?.detail === "this machine's resolver had not answered by the deadline");
  const full = told.filter((failure) => failure?.detail.endsWith('too many look-ups of names hang'));
  expect([hung.length, full.length]).toEqual([16, 4]);
});

test('4.7 4.9 a name that hung or failed last time has one of eight places, until it is answered in time again', async () => {
  const clock = new VirtualClock();
  const asked = new Map<string, (error: NodeJS.ErrnoException | null) => void>();
  const lookup = joinedLookup(
    clock,
    (name, _options, found) => void asked.set(name, (error) => found(error, '127.0.0.1', 4)),
    { most: 16, mostSlow: 8 },
  );
  const told = new Map<string, string>();
  const ask = (name: string) =>
    lookup(name, {}, (error) => void told.set(name, error === null ? 'found' : (error.code ?? error.message)));
  const dead = Array.from({ length: 16 }, (_, index) => `dead-${index}`);
  const answer = (name: string, error: NodeJS.ErrnoException | null = null) => {
    asked.get(name)?.(error);
    asked.delete(name);
  };
  const underWay = () => [...asked.keys()];

  dead.forEach(ask);
  ask('honest');
  expect(told.get('honest'), 'none of them is known to hang').toBe('LOOKUPS_HANG');
  for (const name of dead.slice(0, 8)) answer(name, fault('EAI_AGAIN'));
  await clock.advanceBy(1_001);
  for (const name of dead.slice(8)) answer(name);
  dead.forEach(ask);
  expect(underWay()).toEqual(dead.slice(0, 8));
  ask('honest');
  answer('honest');
  expect(told.get('honest')).toBe('found');

  answer('dead-0');
  ask('dead-9');
  ask('dead-0');
  expect(underWay()).toEqual([...dead.slice(1, 8), 'dead-9', 'dead-0']);
});

test.each([
  ['within the first half of the time', 0.45, 'timeout'],
  ['later', 0.55, 'local'],
  ['after the deadline', 1.1, 'local'],
])('4.9 a resolver that answers %s: a silence after that is told as %s', async (_, share, reason) => {
  const lookedUp = Promise.withResolvers<() => void>();
  await using stage = await shootStage(() => undefined, {
    ...twoPaths,
    lookup: (_name, _options, found) => {
      lookedUp.resolve(() => found(null, [{ address: '127.0.0.1', family: 4 }]));
    },
  });
  const url = stage.server.url.replace('127.0.0.1', 'localhost');
  stage.external = kubeconfigFor({ url, ca: stage.server.ca });
  const told = stage.ask('external');
  const answer = await lookedUp.promise;
  await stage.clock.advanceBy(share * pathTimeout);
  answer();
  if (share < 1) await stage.server.hasReceived(1);
  expect(await stage.clock.until(told)).toMatchObject({ stage: 'external', reason });
  await stage.server.hasOpen(0);
});
