/**
 * Whether `version` is older than `than`. Kubernetes' resourceVersions are decimals of one counter, of any length. Where one of
 * them is missing or is no decimal, nothing is known of their order, and the answer is no: what came last counts.
 */
export function isOlder(version = '', than = ''): boolean {
  if (!/^\d+$/.test(version) || !/^\d+$/.test(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}
