import type { Millis } from 'dependency-watchdog/domain/time.ts';
import { proberConfig } from '../support/config-file.ts';
import { election, gardenersFlags } from '../../real/started-role.ts';
import { reportOnce, startSeed, type StartedSeed } from '../support/started-seed.ts';
import { StartedRole } from '../../real/started-role.ts';

export const flags: readonly string[] = [...gardenersFlags.prober, election];

export type PeerSize = Readonly<{
  command: string;
  shoots: number;
  nodes: number;
  interval: string;
  /** Of the machine-controller-manager on the way up. */
  delay: string;
  podStart?: Millis;
}>;

/** A seed, and how to start a prober on it. */
export class StagedSeed {
  readonly seed: StartedSeed;
  readonly #start: () => Promise<StartedRole>;

  constructor(seed: StartedSeed, start: () => Promise<StartedRole>) {
    this.seed = seed;
    this.#start = start;
  }

  startProber(): Promise<StartedRole> {
    return this.#start();
  }

  /** Until each shoot was asked something since the program started. Rejects where that takes too long. */
  async asksAll(program: StartedRole, within: Millis): Promise<void> {
    const { startedAt } = program;
    const { asked } = await reportOnce(
      this.seed,
      (report) => {
        program.refuseEnd();
        return report.asked.all !== undefined;
      },
      Date.now() + within,
      startedAt,
    );
    if (asked.all === undefined) throw new Error(`after ${within / 1_000} s it had not asked all shoots`);
  }
}

/** Calls back with a fresh seed, and ends it. */
export async function onSeed<Answer>(stage: PeerSize, play: (staged: StagedSeed) => Promise<Answer>): Promise<Answer> {
  using config = proberConfig(stage);
  const configFile = config.path;
  const { command, shoots, nodes, podStart } = stage;
  using seed = await startSeed({ configFile, shoots, nodes, ...(podStart === undefined ? {} : { podStart }) });
  const { kubeconfig } = seed;
  const start = () =>
    StartedRole.start('prober', {
      command,
      kubeconfig,
      configFile,
      flags,
    });
  return await play(new StagedSeed(seed, start));
}
