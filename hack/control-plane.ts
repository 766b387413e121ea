/**
 * `npm run -s control-plane` prints the directory of a real etcd, kube-apiserver and kube-controller-manager, which it fetches
 * or builds where they are not there yet.
 */
import { ControlPlaneMissing } from './control-plane/control-plane.ts';
import { findControlPlane } from './control-plane/find-control-plane.ts';

try {
  const { directory, from, hasControllerManager } = await findControlPlane((line) => process.stderr.write(`${line}\n`));
  process.stderr.write(`from ${from}${hasControllerManager ? '' : ', without a kube-controller-manager'}\n`);
  process.stdout.write(`${directory}\n`);
} catch (error) {
  if (!(error instanceof ControlPlaneMissing)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
