import { counted } from '../../adapters/words/quantity-words.ts';
import type { RunOptions } from './storyteller.ts';

/** How the clock runs, and what to begin the same run with: `s simulated, clock ×3.8   --seed=7`. */
export function runTitle({ speed, seedNumber }: RunOptions): string {
  return `${speed === 1 ? 's in real time' : `s simulated, clock ×${speed}`}   --seed=${seedNumber}`;
}

/** What to begin a run with, for it to tell the same story. */
export function againLine({ seedNumber, again }: RunOptions): string {
  return `The same again: --seed=${seedNumber}${again}`;
}

/** How a run begins, where it is told in lines. */
export function beginningLines(options: RunOptions): readonly string[] {
  const { shoots, nodes, configName, speed } = options;
  return [
    `dependency-watchdog simulate: ${counted(shoots, 'shoot')} of ${counted(nodes, 'node')}, ${configName}`,
    speed === 1
      ? 'The clock runs in real time.'
      : `The clock runs ${speed} times as fast as real time; all seconds are its own.`,
    againLine(options),
    '',
  ];
}

/** How to look into a world that is kept. */
export function keptLines(kubeconfig: string, { config, firstShoot }: RunOptions): readonly string[] {
  const secret = config.kubeConfigSecretName;
  return [
    '',
    'Seed and prober go on until Ctrl-C. In another terminal:',
    `  export KUBECONFIG=${kubeconfig}`,
    '  kubectl get clusters.extensions.gardener.cloud',
    '  kubectl get deployments -A',
    'and into a shoot, by its own kubeconfig:',
    `  kubectl get secret -n ${firstShoot} ${secret} -o 'go-template={{.data.kubeconfig | base64decode}}' > shoot.yaml`,
    '  kubectl --kubeconfig=shoot.yaml get nodes',
    '',
  ];
}
