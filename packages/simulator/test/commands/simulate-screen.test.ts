import { expect, test } from 'vitest';
import { leaseBar, leastBar, mostBar } from '../../commands/simulate/network-outage/lease-bar.ts';
import { columnsFor } from '../../commands/simulate/network-outage/dependant-columns.ts';
import { lineText, piece } from 'dependency-watchdog/commands/terminal/painted-line.ts';
import { liveScreen, type Terminal } from 'dependency-watchdog/commands/terminal/terminal.ts';
import { controllerManager } from '@dwd/testing/prober-configs.ts';
import { scaleOf } from '@dwd/testing/shoot-driver.ts';
import { down, goodStory, kcm, mcm, scale, SeenNetwork, start, verdict } from './simulate-stage.ts';

const escape = '\u001b[';

test('1.1 the screen shows each shoot with state, leases and replicas, and below them what happened', () => {
  const stage = new SeenNetwork()
    .phase(50, 'outage', { 'shoot--demo--01': { crossedAt: start, firstMarkAt: start } })
    .turn(75, 'shoot--demo--01', 'scalingDown', {
      notes: [{ kind: 'verdict', verdict: 'cutOff', expired: 3, candidates: 5, looked: true }],
    })
    .dependant(75, 'shoot--demo--01', mcm, down(1))
    .dependant(75, 'shoot--demo--01', kcm, { ...down(2), readyReplicas: 2 });
  expect(stage.shown(75.3, 80, 24)).toEqual([
    'dependency-watchdog simulate   75.3 s simulated, clock ×4   --seed=7',
    'A NAT gateway fails, and cuts 1 of 2 shoots off from their nodes.',
    '',
    'shoot            state         oldest lease   expired  kcm      mcm      ca',
    'shoot--demo--01  scaling down  █████│█  31 s  3/5      2→0 (2)  0 (1)    1',
    'shoot--demo--02  not probed    █░░░░│░   7 s  -        2        1        1',
    'kcm=kube-controller-manager mcm=machine-controller-manager ca=cluster-autoscaler',
    'oldest lease: expired at │ (30 s); full at 40 s, when its node may be marked',
    '',
    '   50.0 s  A NAT gateway fails, and cuts 1 of 2 shoots off from their nodes.',
    '   75.0 s  shoot--demo--01  cut off (3/5 expired), 75.0 s past the threshold',
  ]);
});

test('1.1 below the shoots stands the twin that nobody watches, and at the end what it cost', () => {
  const stage = new SeenNetwork(1, false, true).phase(50, 'outage', {
    'shoot--demo--01': { crossedAt: start, firstMarkAt: start },
  });
  const row = () => stage.shown(75.3, 80, 24, () => 44).find((line) => line.startsWith('unwatched twin'));
  expect(stage.timeline.at(-1)?.text).toBe(
    'A NAT gateway fails, and cuts 1 of 1 shoot off from their nodes, and the twin.',
  );
  expect(row()).toBe('unwatched twin   unwatched     █████│█  44 s  -        2        1        1');
  stage.mark('unwatched twin', 'node-001').mark('unwatched twin', 'node-002');
  expect(row()).toBe('unwatched twin   2/5 marked    █████│█  44 s  -        2        1        1');
  stage.replace('unwatched twin', 'node-001', 'node-002');
  expect(row()).toBe('unwatched twin   2/5 replaced  █████│█  44 s  -        2        1        1');
  expect(
    stage
      .phase(99, 'over')
      .timeline.slice(-2)
      .map(({ text }) => text),
  ).toEqual([
    'machine-controller-manager replaces 2 healthy machines',
    'The story is over. Healthy machines replaced: 0 watched, 2 unwatched.',
  ]);
  expect(stage.shown(99, 80, 24).filter((line) => line.length > 80)).toEqual([]);
});

test.for([
  [0, '░░░░░░│░░', 'good'],
  [14.9, '██░░░░│░░', 'good'],
  [15, '███░░░│░░', 'warning'],
  [29.9, '█████░│░░', 'warning'],
  [30, '██████│█░', 'bad'],
  [39.9, '██████│█░', 'bad'],
  [40, '██████│██', 'bad'],
  [900, '██████│██', 'bad'],
] as const)('5.2 a lease of %s s, of which 40 are its grace, looks like %s, and is %s', ([age, text, tone]) => {
  expect(leaseBar(1_000 * age, 40_000, 9)).toEqual({ text, tone });
});

test('5.2 however wide the picture is, it goes beyond the mark when the lease has expired, and not before', () => {
  for (let width = leastBar; width <= mostBar; width += 1) {
    for (let age = 0; age <= 50_000; age += 100) {
      const { text } = leaseBar(age, 40_000, width);
      expect(text).toHaveLength(width);
      const [before, beyond] = text.split('│');
      expect([beyond!.startsWith('█'), before!.endsWith('█') && age < 30_000]).toEqual([age >= 30_000, false]);
    }
  }
});

test('1.1 an entry that is wider than the screen goes on below its text; on a narrow one names are short, and the text may stand below them', () => {
  const stage = new SeenNetwork().turn(75, 'shoot--demo--01', 'scalingDown', {
    notes: [verdict('cutOff', 3)],
    commands: [scale(mcm, 1, 0), scale(kcm, 2, 0)],
  });
  expect(stage.shown(76, 80, 24).slice(-2)).toEqual([
    '   75.0 s  shoot--demo--01  scales to 0: machine-controller-manager,',
    '                            kube-controller-manager',
  ]);
  expect(stage.shown(76, 30, 24).slice(-4)).toEqual([
    '   75.0 s  01',
    '  scales to 0:',
    '  machine-controller-manager,',
    '  kube-controller-manager',
  ]);
});

test('1.1 at 50 and at 30 columns the table shows what counts, and no half of a figure', () => {
  const stage = new SeenNetwork(1, false, true)
    .phase(50, 'outage', { 'shoot--demo--01': { crossedAt: start, firstMarkAt: start } })
    .turn(75, 'shoot--demo--01', 'scalingDown', { notes: [verdict('cutOff', 3)] });
  expect(stage.shown(75.3, 50, 24).slice(0, 7)).toEqual([
    '75.3 s simulated, clock ×4   --seed=7',
    'A NAT gateway fails, and cuts 1 of 1 shoot off',
    '  from their nodes, and the twin.',
    '',
    'shoot  state         oldest  expired  +3',
    '01     scaling down  31 s    3/5      3/3 up',
    'twin   unwatched     7 s     -        3/3 up',
  ]);
  expect(stage.shown(75.3, 30, 24).slice(5, 8)).toEqual([
    'shoot  state         oldest',
    '01     scaling down  31 s',
    'twin   unwatched     7 s',
  ]);
});

test('1.1 on a wide screen the dependants have their names', () => {
  expect(new SeenNetwork().shown(0, 130, 40)[3]).toBe(
    'shoot            state         oldest lease       expired  kube-controller-manager  machine-controller-manager  cluster-autoscaler',
  );
});

test('1.1 it never has as many lines as the screen, nor longer ones; what has no room is counted', () => {
  const stage = new SeenNetwork(40).phase(0, 'calm');
  for (const shoot of stage.model.rows.keys()) stage.turn(1, shoot, 'probing');
  for (const columns of [1, 20, 40, 79, 80, 120, 300]) {
    for (const rows of [1, 2, 5, 10, 24, 40, 60]) {
      const lines = stage.shown(2, columns, rows);
      expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
    }
  }
  const lines = stage.shown(2, 80, 24);
  expect(lines).toHaveLength(23);
  expect(lines).toContain('and 29 more: 29 not probed yet');
  expect(lines.at(-1)).toBe('    1.0 s  shoot--demo--40  will be probed');
});

test('1.1 each name gets initials of its own; names without room are summed up', () => {
  const keys = ['a-b', 'apple-bread', 'c', 'd', 'e'].map((name) => `apps/v1/StatefulSet/${name}`);
  expect(columnsFor(keys, 45).columns.map(({ title }) => title)).toEqual(['ab', 'ab2', 'c', 'd', 'e']);
  const { columns, legend } = columnsFor(keys, 44);
  expect(columns.map(({ title, keys: those }) => [title, those.length])).toEqual([
    ['ab', 1],
    ['ab2', 1],
    ['c', 1],
    ['+2', 2],
  ]);
  expect(legend[1]).toEqual({ title: 'ab2', name: 'StatefulSet/apple-bread' });
  expect(columnsFor(keys, 0).columns.map(({ title }) => title)).toEqual(['+5']);

  const stage = new SeenNetwork().dependant(1, 'shoot--demo--01', mcm, down(1));
  expect(stage.shown(2, 64, 24)[4]).toBe('shoot--demo--01  not probed    ██████│█░  31 s  -        2/3 up');
});

test('1.1 the timeline tells a story from its beginning to its end', () => {
  expect(goodStory().words()).toEqual([
    '-: All is calm. The nodes of 2 shoots renew their leases.',
    '01: will be probed',
    '02: will be probed',
    '-: A NAT gateway fails, and cuts 1 of 2 shoots off from their nodes.',
    '01: cut off (3/5 expired), 0.10 s past the threshold',
    '01: scales to 0: machine-controller-manager, cluster-autoscaler',
    '01: scales to 0: kube-controller-manager',
    '01: all at 0, 8.0 s before a node could be marked',
    '-: The NAT gateway is back. Nodes of 1 of 2 shoots renew their leases.',
    '01: connected (1/5 expired)',
    '01: scales to 2: kube-controller-manager',
    '01: everything is brought back, 53.0 s after the healing',
    '-: The story is over.',
  ]);
});

test('1.1 what goes wrong has a line', () => {
  const at = start;
  const failure = { stage: 'leases', reason: 'timeout', detail: 'no answer\nin 30 s' } as const;
  const asked = scaleOf(controllerManager, { number: 2 });
  const stage = new SeenNetwork()
    .turn(1, 'shoot--demo--01', 'probing', {
      from: 'probing',
      event: { type: 'probe.failed', at, number: 1, askedAt: at, failure },
    })
    .turn(2, 'shoot--demo--01', 'probing', {
      from: 'probing',
      event: { type: 'scale.answered', at, askedAt: at, asked, answer: { outcome: 'conflict' } },
    })
    .turn(3, 'shoot--demo--01', 'idle', {
      from: 'probing',
      event: { type: 'ended', at, because: 'bug', error: 'TypeError: x' },
    })
    .mark('shoot--demo--02', 'node-001')
    .missed('shoot--demo--02 was not scaled down')
    .remark('the watch on clusters is back')
    .turn(4, 'shoot--demo--02', 'scaledDown', {
      from: 'scalingDown',
      notes: [{ kind: 'shielded', crossedAt: at, firstMarkAt: at }],
    });
  expect(stage.words()).toEqual([
    '01: probe failed: leases, timeout: no answer\nin 30 s',
    '01: did not scale kube-controller-manager from 2 to 0: somebody else changed it meanwhile, and it is read again',
    '01: a bug ended its machine: TypeError: x',
    '02: kube-controller-manager marks node-001 as unreachable',
    '-: shoot--demo--02 was not scaled down',
    '-: the watch on clusters is back',
    '02: all at 0, 4.0 s after a node could be marked',
  ]);
  // A line break would move everything below it.
  expect(stage.shown(5, 120, 24).join('\n')).toContain(String.raw`leases, timeout: no answer\u000ain 30 s`);
});

test('1.1 colours wrap what is shown and nothing else, and are left out where they are not wanted', () => {
  const line = [piece('probing', 'good'), piece('  '), piece('5/5', 'bad')];
  expect(lineText(line, 80, false)).toBe('probing  5/5');
  expect(lineText(line, 80, true)).toBe(`${escape}32mprobing${escape}0m  ${escape}31m5/5${escape}0m`);
  expect(lineText(line, 5, true)).toBe(`${escape}32mprob${escape}0m…`);
  expect(lineText(line, 12, false)).toBe('probing  5/5');
  expect(lineText(line, 11, false)).toBe('probing  5…');
});

/** A terminal of 10 columns that keeps what is written to it. */
function recordedTerminal() {
  const written: string[] = [];
  const listeners = { resize: () => {}, exit: () => {} };
  const stopped: string[] = [];
  const terminal: Terminal = {
    colours: false,
    size: () => ({ columns: 10, rows: 24 }),
    write: (text) => void written.push(text),
    onResize: (listener) => {
      listeners.resize = listener;
      return () => void stopped.push('resize');
    },
    onExit: (listener) => {
      listeners.exit = listener;
      return () => void stopped.push('exit');
    },
  };
  return { terminal, written, listeners, stopped };
}

test('1.1 the live screen paints in place, and anew where the terminal changed its size', () => {
  const { terminal, written, listeners, stopped } = recordedTerminal();
  const screen = liveScreen(terminal, ['a place that is not cut']);
  screen.paint([[piece('one')], [piece('a line that is too long')]]);
  screen.paint([[piece('two')]]);
  listeners.resize();
  screen.paint([[piece('three')]]);
  screen.paint([[piece('four')]]);
  screen.end();
  expect(written.map((text) => text.replaceAll(escape, '^'))).toEqual([
    '^?25la place that is not cut\n',
    '\r^Kone\n^Ka line th…\n^J',
    '\r^2A^Ktwo\n^J',
    '^H^2Ja place that is not cut\n^Kthree\n^J',
    '\r^1A^Kfour\n^J',
    '^?25h',
  ]);
  expect(stopped).toEqual(['resize', 'exit']);
});

test('1.1 the heading keeps its place above the picture, where there is room for both', () => {
  const { terminal } = recordedTerminal();
  const heading = ['a line of the heading that is wrapped twice', ''];
  const size = (rows: number) => ({ ...terminal, size: () => ({ columns: 20, rows }) });
  expect(liveScreen(size(24), heading).room()).toEqual({ columns: 20, rows: 20 });
  expect(liveScreen(size(20), heading).room()).toEqual({ columns: 20, rows: 16 });
  expect(liveScreen(size(19), heading).room()).toEqual({ columns: 20, rows: 19 });
});

test('1.1 the cursor comes back however the process ends', () => {
  const { terminal, written, listeners } = recordedTerminal();
  liveScreen(terminal);
  listeners.exit();
  expect(written.at(-1)).toBe(`${escape}?25h`);
});
