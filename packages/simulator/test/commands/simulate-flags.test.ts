import { expect, test } from 'vitest';
import { whyLines } from '../../commands/simulate/story/places.ts';
import { runSimulate } from '../../commands/simulate.ts';
import { heardIo } from '@dwd/testing/heard-io.ts';
import { readSimulateFlags } from '../../commands/simulate/story/simulate-flags.ts';

test('1.2 without flags it is Gardener’s configuration, five shoots of five nodes, and a story that fits', () => {
  expect(readSimulateFlags([])).toEqual({
    ok: true,
    flags: { shoots: 5, nodes: 5, keep: false, json: false, given: [] },
  });
});

test('1.2 every flag is read', () => {
  const args = '-shoots 40 --nodes=3 --speed 2.5 --seed=0 --keep --json=true --journal-dir x --config-file=y';
  expect(readSimulateFlags(args.split(' '))).toEqual({
    ok: true,
    flags: {
      shoots: 40,
      nodes: 3,
      speed: 2.5,
      seed: 0,
      keep: true,
      json: true,
      journalDir: 'x',
      configFile: 'y',
      given: expect.any(Array),
    },
  });
});

test('1.1 what was given can be given again, but for the seed', () => {
  const args = ['-seed', '5', '--keep', '--shoots', '0x2', '--config-file', "a man's.yaml"];
  expect(readSimulateFlags(args)).toHaveProperty('flags.given', [
    '--keep',
    '--shoots=2',
    String.raw`--config-file='a man'\''s.yaml'`,
  ]);
});

test.for([
  ['--shoots=0', '--shoots must be at least 1; found "0"'],
  ['--shoots=101', '--shoots must be at most 100; found "101"'],
  ['--nodes=1', '--nodes must be at least 2; found "1"'],
  ['--nodes=501', '--nodes must be at most 500; found "501"'],
  ['--shoots=20 --nodes=101', '--shoots=20 with --nodes=101 makes 2020 nodes; this process can play at most 2000'],
  ['--speed=0', '--speed must be at least 0.1; found "0"'],
  ['--speed=101', '--speed must be at most 100; found "101"'],
  ['--seed=-1', '--seed must be at least 0; found "-1"'],
  ['--seed=4294967296', '--seed must be at most 4294967295; found "4294967296"'],
  ['--shots=3', 'unknown flag --shots; did you mean --shoots?'],
] as const)('1.2 %s is refused', ([args, because]) => {
  expect(readSimulateFlags(args.split(' '))).toMatchObject({ ok: false, help: false });
  expect(readSimulateFlags(args.split(' '))).toHaveProperty('message', expect.stringContaining(because));
});

test('1.1 1.2 the help names no default where there is none', async () => {
  const { io, out } = heardIo();
  expect(await runSimulate(['--help'], io)).toBe(0);
  const help = out.join('\n');
  expect(help).toMatch(/^Usage: dependency-watchdog simulate \[flags\]/);
  expect(help).toContain('(default 5)');
  expect(help).not.toContain('(default 0)');
  expect(help.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('1.1 the end says what to type to see why', () => {
  expect(whyLines('/var/tmp/a night', 'dependency-watchdog')).toEqual([
    'Why was it so?',
    "  dependency-watchdog inspect '/var/tmp/a night'",
    "  dependency-watchdog replay --outages '/var/tmp/a night'",
  ]);
});
