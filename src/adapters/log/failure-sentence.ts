import type { ProbeFailure, ProbeStage } from '../../domain/prober/probe-failure.ts';

/** A probe that told nothing, as a sentence that stands alone. The external path is told of only where it could not be asked: its failures are verdicts (SPEC 4.9). */
export function failureSentence(shoot: string, { stage, reason, detail }: ProbeFailure): string {
  if (stage === 'machines') return `the seed does not list the Machines of ${shoot}: ${detail}`;
  const where = places[stage];
  const isPath = stage === 'internal' || stage === 'external';
  switch (reason) {
    case 'kubeconfig':
      return `${shoot} cannot be probed${isPath ? where : ''}: ${detail}`;
    case 'local':
      return `${shoot} could not be probed${where}, which is no fault of the shoot: ${detail}`;
    case 'unreachable':
    case 'timeout':
      // The internal path had taken most of the time.
      if (stage === 'external') return `${shoot} had too little time to answer${where}: ${detail}`;
      return `${shoot} does not answer${where}: ${detail}`;
    case 'certificate':
    case 'unauthorized':
    case 'throttled':
    case 'refused':
    case 'garbled':
    case 'tooLarge':
      return `${shoot} gives no useful answer${where}: ${detail}`;
  }
}

const places: Readonly<Record<Exclude<ProbeStage, 'machines'>, string>> = {
  version: '',
  leases: ' when asked for its leases',
  nodes: ' when asked for its nodes',
  internal: ' on the internal path',
  external: ' on the external path',
};
