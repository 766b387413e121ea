import { between, oneOf } from '../chance-of.ts';
import type { HappeningKind } from '../happening-kind.ts';
import { shootOf } from './shoot-of.ts';

/** What a shoot's owner, or a mistake, may put into a kubeconfig. */
const hostile: readonly string[] = [
  '',
  'no: kubeconfig',
  '{"clusters": 7, "users": [null], "contexts": "x"}',
  'apiVersion: v1\nkind: Config\nusers: [{name: u, user: {exec: {command: /bin/sh, args: [-c, "kill 1"]}}}]\n',
  '&a [*a, *a]\n',
  `x: ${'y'.repeat(300_000)}`,
];

/** The Secrets that lead to a shoot. */
export const secrets: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw: (chance, _, at, shoot) => {
      const kind = oneOf(chance, ['Secret rotated', 'Secret rotated', 'Secret spoiled', 'Secret removed'] as const);
      return [
        { at, kind, shoot, of: { which: between(chance, 0, hostile.length - 1) } },
        ...(kind === 'Secret rotated'
          ? []
          : [{ at: at + between(chance, 1_000, 300_000), kind: 'Secret given back', shoot }]),
      ];
    },
    strike: {
      'Secret rotated': (scene, it) => shootOf(scene, it)?.rotateSecret(),
      'Secret spoiled': (scene, it) => shootOf(scene, it)?.writeSecret(hostile[Number(it.of?.['which'])] ?? ''),
      'Secret removed': (scene, it) => shootOf(scene, it)?.removeSecret(),
      'Secret given back': (scene, it) => shootOf(scene, it)?.rotateSecret(),
    },
    calm(scene) {
      for (const shoot of scene.seed.shoots) shoot.rotateSecret();
    },
    tell: ({ kind, shoot }) => `${shoot}: ${kind}`,
  },
];
