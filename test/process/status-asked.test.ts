// `status` asks probers and weeders that run as processes.
import { expect, test, type TestContext } from 'vitest';
import { leads, quickConfig, seedStage } from '@dwd/testing/seed-stage.ts';
import { mark, record } from '@dwd/testing/stage.ts';
import { systemClock } from '../../src/adapters/clock/wall-clock.ts';
import { row, status } from '../support/ran-status.ts';

const ofPorts = (line: unknown) => (line as { ports: { inspector: number; metrics: number } }).ports;

test('9.8 a prober without an election is asked whether it leads', async (context) => {
  const stage = await seedStage(context);
  const prober = stage.prober('prober');
  await prober.line('state changed', { to: 'probing' });
  const { inspector, metrics } = ofPorts(await prober.line('the prober starts'));
  expect(await status(stage)).toMatchObject({ code: 1 });
  for (const port of [inspector, metrics]) {
    const { code, out } = await status(stage, `--prober=${port}`);
    expect(out.split('\n')[0]).toBe(`The prober at http://localhost:${port} says that it leads, without an election.`);
    expect({ code, row: row(out, 'shoot--') }).toEqual({ code: 0, row: expect.stringContaining('  watched  ') });
  }
  const { leader, prober: asked } = JSON.parse(
    (await status(stage, '-o=json', `--prober=${inspector}`)).out,
  ) as Readonly<Record<string, unknown>>;
  expect({ leader, asked }).toMatchObject({ leader: { is: 'noLease' }, asked: { leads: true, elects: false } });
});

test('9.8 a weeder that is asked is said to be none', async (context) => {
  const stage = await seedStage(context);
  leads(stage);
  const { inspector } = ofPorts(await stage.weeder('weeder').line('the weeder starts'));
  expect(await status(stage, `--prober=${inspector}`)).toMatchObject({
    code: 1,
    err: `dependency-watchdog status: at http://localhost:${inspector} is a weeder, which knows no shoot`,
  });
});

test('9.8 a standby that is asked says that it is one, and who leads', async (context) => {
  const stage = await seedStage(context);
  const leading = stage.prober('one', '--enable-leader-election');
  await leading.line('state changed', { to: 'probing' });
  const standby = stage.prober('two', '--enable-leader-election');
  const { holder } = (await standby.line('leadership', { leadership: 'standby' })) as unknown as { holder: string };
  const { inspector, metrics } = ofPorts(await standby.line('the prober starts'));
  for (const port of [inspector, metrics]) {
    const { code, out, err } = await status(stage, `--prober=${port}`);
    expect(out.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^The prober \S+ leads: /),
      `The prober at http://localhost:${port} is a standby: it knows nothing of the shoots. Ask the pod ${holder.replace(/_[^_]*$/, '')}, which leads.`,
    ]);
    expect({ code, err, row: row(out, 'shoot--') }).toEqual({
      code: 0,
      err: '',
      row: expect.stringContaining('  watched  '),
    });
  }
});

test('9.8 a prober that leads is asked for what only it knows', async (context: TestContext) => {
  const stage = await seedStage(context);
  const prober = stage.prober('prober', '--enable-leader-election');
  await prober.line('state changed', { to: 'probing' });
  stage.cutOff();
  const at = systemClock.now();
  await prober.line('state changed', { to: 'scaledDown' });
  const ports = ofPorts(await prober.line('the prober starts'));
  const json = await status(stage, '-o=json', `--prober=${ports.inspector}`);
  const { shoots } = JSON.parse(json.out) as { shoots: readonly Record<string, { since: string }>[] };
  expect(shoots[0]).toMatchObject({
    state: 'scaledDown',
    scaledDown: { by: 'dependency-watchdog-prober' },
    prober: { state: 'scaledDown', verdict: { kind: 'cutOff', expired: 5, candidates: 5 } },
  });
  expect(Date.parse(shoots[0]!['scaledDown']!.since)).toBeGreaterThanOrEqual(at - 1_000);
  const table = await status(stage, `--prober=:${ports.inspector}`);
  expect(table.out).toMatch(/ EXPIRED +NEXT /);
  expect(row(table.out, 'shoot--')).toMatch(/scaled down {2}\d+s {2}.* 5\/5 {2}(now|in \d+s)$/);

  // Before anything is down only the prober knows; the address of the metrics tells the state, and no more.
  for (const name of stage.shoot.dependants.names) {
    stage.shoot.dependants.annotate(name, { [mark]: null, [record]: null });
    stage.shoot.dependants.scale(name, 1);
  }
  const byMetrics = await status(stage, `--prober=http://localhost:${ports.metrics}`);
  expect(row(byMetrics.out, 'shoot--')).toMatch(/^shoot--\S+ {2}(cut off|(partly )?scaled down|scaling down)/);
});

const older = quickConfig.replace(
  /^kubeConfigSecretName: .*$/m,
  'internalKubeConfigSecretName: inside\nexternalKubeConfigSecretName: outside\ninternalProbeFailureBackOffDuration: 1s',
);

test('2.2 4.9 9.8 a prober of two paths is asked how often the external one failed, and whether the internal one answers', async (context: TestContext) => {
  const stage = await seedStage(context, { configText: older });
  const prober = stage.prober('prober', '--enable-leader-election');
  await prober.line('state changed', { to: 'probing' });
  await stage.shoot.paths.break('external', { kind: 'refuse' });
  await prober.line('state changed', { to: 'scaledDown' });
  const ports = ofPorts(await prober.line('the prober starts'));
  const json = await status(stage, '-o=json', `--prober=${ports.inspector}`);
  expect(JSON.parse(json.out)).toMatchObject({
    shoots: [
      {
        state: 'scaledDown',
        scaledDown: { by: 'dependency-watchdog-prober' },
        prober: { state: 'scaledDown', verdict: { kind: 'cutOff', external: { of: 3 }, reason: 'unreachable' } },
      },
    ],
  });
  const table = await status(stage, `--prober=:${ports.inspector}`);
  expect(table.out).toMatch(/ EXTERNAL +NEXT /);
  expect(row(table.out, 'shoot--')).toMatch(/scaled down {2}\d+s {2}.* failed 3\/3 {2}(now|in \d+s)$/);
  const metrics = await (await fetch(`http://127.0.0.1:${ports.metrics}/metrics`)).text();
  expect(metrics).toMatch(
    /^dwd_probe_failures_total\{shoot="shoot--\S+",probe="external",reason="unreachable"\} \d+$/m,
  );
  expect(metrics).not.toMatch(/^dwd_probe_failures_total\{.*probe="internal"/m);

  await stage.shoot.paths.heal('external');
  await prober.line('state changed', { from: 'scalingUp', to: 'probing' });
  await stage.shoot.paths.break('internal', { kind: 'refuse' });
  await prober.line('internal path fails');
  const [byJournal, byMetrics] = [
    await status(stage, `--prober=${ports.inspector}`),
    await status(stage, `--prober=${ports.metrics}`),
  ];
  expect(row(byJournal.out, 'shoot--')).toMatch(
    /not answering {2}- .* - {2}(now|in \d+s) {2}internal path, unreachable: /,
  );
  expect(row(byMetrics.out, 'shoot--')).toMatch(
    /not answering {2}- .* the internal path has failed several times in a row$/,
  );
  // What the command itself asks, it asks as an operator.
  expect(stage.asked.filter(({ user, resource }) => user === 'operator' && resource === 'secrets')).toEqual([]);
});
