import { readFileSync } from 'node:fs';
import { gardenerConfigFile } from './read-config.ts';

export type ProberConfigChanges = Readonly<{
  /** `10s`. */
  interval?: string;
  /** For all dependants that have one. */
  delay?: string;
  /** As the older generation has it (SPEC 2.2). */
  twoPaths?: boolean;
}>;

/** Gardener's prober configuration, changed. */
export function proberConfigText({ interval, delay, twoPaths = false }: ProberConfigChanges): string {
  let text = readFileSync(gardenerConfigFile, 'utf8');
  if (interval !== undefined) text = text.replace(/^probeInterval:.*$/m, `probeInterval: ${interval}`);
  if (delay !== undefined) text = text.replace(/^(\s*initialDelay:).*$/gm, `$1 ${delay}`);
  if (twoPaths) text = text.replace(/^kubeConfigSecretName:.*$/m, twoSecrets);
  // Nobody learns anything from the half minute before the first probes.
  return `initialDelay: 0s\n${text}`;
}

const twoSecrets = 'internalKubeConfigSecretName: dwd-internal-probe\nexternalKubeConfigSecretName: dwd-external-probe';
