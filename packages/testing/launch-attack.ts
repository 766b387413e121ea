import type { Clock } from 'dependency-watchdog/effects/ports.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import type { EmbeddedShoot } from '@dwd/simulator/shoot/embedded-shoot.ts';
import type { Attack } from './attacks.ts';

/** From now on the shoot's owner does this to its prober. */
export function launchAttack(seed: EmbeddedSeed, shoot: EmbeddedShoot, attack: Attack, clock: Clock): void {
  const { answers = {}, cluster, machine, rewrites } = attack;
  const answerTo = (resource: string) => Object.entries(answers).find(([asked]) => asked === resource)?.[1];
  shoot.says(
    ({ resource }, response) => answerTo(resource)?.(response, clock.now()),
    ({ resource }) => answerTo(resource) !== undefined,
  );
  if (cluster !== undefined) shoot.editShoot(cluster);
  if (machine !== undefined) for (const node of shoot.nodes) shoot.editMachine(node, machine);
  if (rewrites === undefined) return;
  let written = 0;
  const rewrite = (): void => {
    written += 1;
    if (rewrites.what === 'secret') shoot.rotateSecret();
    else shoot.editShoot({ metadata: { generation: written } });
    seed.api.agenda.after(1_000 / rewrites.aSecond, rewrite);
  };
  rewrite();
}
