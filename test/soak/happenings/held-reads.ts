import { between } from '../chance-of.ts';
import type { Happening } from '../happening.ts';
import type { HappeningKind } from '../happening-kind.ts';
import type { Scene } from '../scene.ts';
import { atRequest } from './at-request.ts';
import { cutOff } from './outages.ts';

/** What is scaled, as the seed calls it. */
const scaled = /^(deployments|statefulsets|widgets)(\/|$)/;

/**
 * A shoot is cut off. From its first scale-down on, the seed asks for patience with all that is scaled, and its watches on that are cut. What no watch tells of is
 * read with each probe, and that waits; on its way down the shoot asks at once, again and again.
 */
export const heldReads: readonly HappeningKind[] = [
  {
    of: 'shoot',
    hourly: () => 1,
    draw: (chance, _, at, shoot) => [
      {
        at,
        kind: 'reads held',
        shoot,
        of: { which: 1, patience: between(chance, 45, 58), length: between(chance, 60_000, 90_000) },
      },
      ...cutOff(shoot, at + 1, at + between(chance, 150_000, 240_000)),
    ],
    strike: { 'reads held': (scene, it) => atRequest(scene, it, 'patch', () => holdReads(scene, it)) },
    tell: ({ kind, shoot, of }) => `${shoot}: ${kind} for ${Number(of?.['patience'])} s, from the first write on`,
  },
];

function holdReads(scene: Scene, { of }: Happening): void {
  const servers = scene.servers();
  for (const server of servers) {
    server.setFault({ kind: 'throttle', retryAfterSeconds: Number(of?.['patience']) }, ({ resource }) =>
      scaled.test(resource),
    );
    for (const resource of ['deployments', 'statefulsets', 'widgets']) server.breakWatches(resource);
  }
  scene.seed.api.agenda.after(Number(of?.['length']), () => servers.forEach((server) => server.clearFault()));
}
