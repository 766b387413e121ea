import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { OutputTrouble } from '../memory/memory-output.ts';
import { slotsOf, withSlot } from './processes.ts';

const troubles: readonly OutputTrouble[] = ['standing still', 'ENOSPC', 'EPIPE'];

/** What reads the log stands still, is full or is gone. Nothing but the log may suffer (SPEC 11.1): no law has patience for it. */
export const outputs: readonly HappeningKind[] = [
  {
    of: 'seed',
    hourly: ({ hostFails }) => (hostFails ? 9 : 3),
    draw(chance, shape, at) {
      const of = { slot: oneOf(chance, slotsOf(shape)), trouble: oneOf(chance, troubles) };
      return [
        { at, kind: 'output in trouble', of },
        { at: at + between(chance, 1_000, 600_000), kind: 'output well', of },
      ];
    },
    strike: {
      'output in trouble': (scene, it) =>
        withSlot(scene, it, ({ output }) => void (output.trouble = it.of?.['trouble'] as OutputTrouble)),
      'output well': (scene, it) => withSlot(scene, it, ({ output }) => void (output.trouble = undefined)),
    },
    calm: (scene) => scene.slots.forEach(({ output }) => void (output.trouble = undefined)),
    tell: ({ kind, of }) =>
      `${String(of?.['slot'])}: ${kind}${kind === 'output well' ? '' : `, ${String(of?.['trouble'])}`}`,
  },
];
