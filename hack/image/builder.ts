import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';

export const builderNames = ['docker', 'podman', 'buildah'] as const;
export type BuilderName = (typeof builderNames)[number];

/** No builder is here that works. The message says why not, of each. */
export class BuilderMissing extends Error {}

/** Why a builder cannot be used here, or undefined where it can. */
export type Obstacle = (name: BuilderName) => Promise<string | undefined>;

/** The first that works, or the one that was asked for. Rejects with BuilderMissing. */
export async function chooseBuilder(asked: BuilderName | undefined, obstacleOf: Obstacle): Promise<BuilderName> {
  const reasons: string[] = [];
  for (const name of asked === undefined ? builderNames : [asked]) {
    const obstacle = await obstacleOf(name);
    if (obstacle === undefined) return name;
    reasons.push(`${name}: ${obstacle}`);
  }
  throw new BuilderMissing(
    `no image can be built here (${reasons.join('; ')}): start Docker, or install podman or buildah`,
  );
}

/** What this machine says. A client of Docker builds nothing without its daemon. */
export const obstacleHere: Obstacle = async (name) => {
  if (!isOnPath(name)) return 'it is not installed';
  if (name !== 'docker') return undefined;
  return await runProgram('docker', ['version', '--format', '{{.Server.Version}}']).then(
    () => undefined,
    () => 'its daemon does not answer',
  );
};

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((place) => {
    try {
      accessSync(join(place, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
