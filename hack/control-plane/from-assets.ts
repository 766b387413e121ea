import { lacking } from './programs.ts';
import type { Way } from './control-plane.ts';

/** The directory that KUBEBUILDER_ASSETS names, as for the tests of other controllers; it usually lacks the controller-manager. */
export function fromAssets({ KUBEBUILDER_ASSETS: directory }: NodeJS.ProcessEnv): Way {
  if (directory === undefined || directory === '') return { why: 'KUBEBUILDER_ASSETS is not set' };
  const missing = lacking(directory);
  const needed = missing.filter((program) => program !== 'kube-controller-manager');
  if (needed.length > 0)
    return { why: `KUBEBUILDER_ASSETS (${directory}) lacks ${needed.join(' and ')}`, isOperators: true };
  return { found: { directory, hasControllerManager: missing.length === 0, from: 'KUBEBUILDER_ASSETS' } };
}
