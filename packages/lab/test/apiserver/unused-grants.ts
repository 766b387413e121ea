/**
 * What Gardener grants and this program makes no use of, each with its reason: its roles were written for the Go watchdog, whose
 * caches and clients ask otherwise. Reviewed by hand; the test of least privilege fails where a permission is missing here or
 * is used after all.
 */
export const unusedGrants: Readonly<Record<string, string>> = {
  ...because(
    'one is asked for while the stream of them is out (3.5), which it is not here; the contract of its port is',
    ['prober: get extensions.gardener.cloud/clusters'],
  ),
  ...because('a list and a watch tell all', [
    'prober: get secrets',
    'weeder: get pods',
    'weeder: get discovery.k8s.io/endpointslices',
  ]),
  ...because('a Cluster bears the name of its namespace, and nothing else is asked of that', [
    'prober: get namespaces',
    'prober: list namespaces',
    'prober: watch namespaces',
  ]),
  ...because('writes are patches', ['prober: update apps/deployments']),
  ...because('a Deployment itself takes annotations and replicas in one write', [
    'prober: get apps/deployments/scale',
    'prober: list apps/deployments/scale',
    'prober: watch apps/deployments/scale',
    'prober: update apps/deployments/scale',
    'prober: patch apps/deployments/scale',
  ]),
  ...because('Machines are listed when a verdict depends on them', [
    'prober: get machine.sapcloud.io/machines',
    'prober: watch machine.sapcloud.io/machines',
  ]),
  ...because('events are told on control planes, and none of a shoot lies in garden', [
    'prober in garden: create events',
  ]),
  ...because('an event is written once, and never counted up', [
    'prober in garden: get events',
    'prober in garden: update events',
    'prober in garden: patch events',
    'weeder in garden: get events',
    'weeder in garden: update events',
    'weeder in garden: patch events',
  ]),
  ...because('one list has them all', ['probe in kube-node-lease: get coordination.k8s.io/leases', 'probe: get nodes']),
};

function because(reason: string, permissions: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(permissions.map((one) => [one, reason]));
}
