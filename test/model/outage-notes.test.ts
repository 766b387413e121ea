import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import { deployment, gardenerConfig } from '../support/prober-configs.ts';
import { ShootDesk } from '../support/shoot-desk.ts';
import { present, shielded } from '../support/views.ts';

const kcm = deployment('kcm', { down: 1, up: 0 });
const mcm = deployment('mcm', { down: 0, up: 1, upDelay: 30_000 });
const config: ProberConfig = { ...gardenerConfig, dependants: [kcm, mcm], backoffJitterFactor: 0 };

function probing(under = config): ShootDesk {
  const desk = new ShootDesk(under).allWell();
  desk.cluster();
  return desk;
}

/** What was said, but for a connected verdict. */
const said = (told: readonly string[]) => told.filter((one) => one.startsWith('say ') && one !== 'say connected');

test('9.1 decided with the first scale-down, shielded when all is down, restored when all is back, each once', () => {
  const desk = probing();
  expect(said(desk.wholeProbe('cutOff'))).toEqual(['say cutOff', 'say decided']);
  desk.written(mcm);
  expect(said(desk.follows(mcm)), 'the next level decides nothing').toEqual([]);
  desk.written(kcm);
  expect(said(desk.follows(kcm))).toEqual(['say shielded']);

  expect(said(desk.wholeProbe('connected'))).toEqual([]);
  const begunAt = desk.now;
  desk.written(kcm);
  desk.follows(kcm);
  desk.wait(300_000);
  desk.written(mcm);
  expect(said(desk.follows(mcm))).toEqual(['say restored']);
  expect(desk.outcome.notes).toEqual([{ kind: 'restored', begunAt }]);
});

test('9.1 a scale-down names the leases that it answers to; a scale-up has none', () => {
  const desk = probing();
  desk.wholeProbe('cutOff');
  expect(desk.writes.get(mcm.key)?.leases).toEqual({ expired: 2, candidates: 2 });
  desk.written(mcm);
  desk.follows(mcm);
  desk.written(kcm);
  desk.follows(kcm);
  desk.wholeProbe('connected');
  expect(desk.writes.get(kcm.key)?.change).toMatchObject({ replicas: 2 });
  expect(desk.writes.get(kcm.key)).not.toHaveProperty('leases');
});

test.each([
  ['was down already', false],
  ['was down already, when the leases crossed anew', true],
])('9.2 where all %s, what is taken down later in the outage decides nothing', (_, anew) => {
  const desk = probing({ ...config, successThreshold: 2 });
  for (const one of [kcm, mcm]) desk.sees(one, shielded());
  expect(said(desk.wholeProbe('cutOff'))).toEqual(['say cutOff']);
  if (anew) {
    desk.wholeProbe('connected');
    desk.wholeProbe('cutOff');
  }
  expect(desk.state).toBe('scaledDown');
  desk.sees(kcm, present({ resourceVersion: '900' }));
  expect(said(desk.wholeProbe('cutOff'))).toEqual(['say cutOff']);
  expect(desk.writes.get(kcm.key)?.change).toMatchObject({ replicas: 0 });
});

test('9.1 a way up that had nothing to write has restored nothing', () => {
  const desk = new ShootDesk(config);
  for (const one of [kcm, mcm]) desk.watches(one, true);
  desk.sees(mcm, present());
  desk.cluster();
  expect(desk.wholeProbe('connected')).toContain('read kcm');
  expect(desk.state).toBe('scalingUp');
  expect(said(desk.readsAgain(kcm))).toEqual([]);
  expect(desk.state).toBe('probing');
});
