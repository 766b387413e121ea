import type { ProbeFailureReason, ProbeStage } from '../../domain/prober/probe-failure.ts';

/** What became of a question that was sent, and told nothing: `does not answer`. */
export function unansweredWords(
  stage: ProbeStage,
  reason: Exclude<ProbeFailureReason, 'kubeconfig' | 'local'>,
): string {
  switch (reason) {
    case 'unreachable':
    case 'timeout':
      // A failure of the external path is told here only where the internal one had taken most of the time (SPEC 4.9).
      return stage === 'external' ? 'had too little time to answer' : 'does not answer';
    case 'certificate':
    case 'unauthorized':
    case 'throttled':
    case 'refused':
    case 'garbled':
    case 'tooLarge':
      return 'gives no useful answer';
  }
}
