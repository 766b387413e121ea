import type { ProbeFailure, ProbeStage } from '../../domain/prober/probe-failure.ts';
import { unansweredWords } from '../words/failure-words.ts';

/** A probe that told nothing, as a sentence that stands alone. Of the external path only what is no verdict: it could not be asked, or had too little time (SPEC 4.9). */
export function failureSentence(shoot: string, { stage, reason, detail }: ProbeFailure): string {
  if (stage === 'machines') return `the seed does not list the Machines of ${shoot}: ${detail}`;
  const where = places[stage];
  const isPath = stage === 'internal' || stage === 'external';
  if (reason === 'kubeconfig') return `${shoot} cannot be probed${isPath ? where : ''}: ${detail}`;
  if (reason === 'local') return `${shoot} could not be probed${where}, which is no fault of the shoot: ${detail}`;
  return `${shoot} ${unansweredWords(stage, reason)}${where}: ${detail}`;
}

const places: Readonly<Record<Exclude<ProbeStage, 'machines'>, string>> = {
  version: '',
  leases: ' when asked for its leases',
  nodes: ' when asked for its nodes',
  internal: ' on the internal path',
  external: ' on the external path',
};
