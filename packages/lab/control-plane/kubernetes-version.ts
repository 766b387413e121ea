/** For Go's linker. A Kubernetes that does not know its version reports v0.0.0, and refuses some of its own flags. */
export function kubernetesVersionWords(kubernetes: string): string {
  const [major = '', minor = ''] = kubernetes.slice(1).split('.');
  const fields = { gitVersion: kubernetes, gitMajor: major, gitMinor: minor };
  return Object.entries(fields)
    .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
    .join(' ');
}
