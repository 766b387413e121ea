/**
 * Whether `version` is at least as new as `than`. Kubernetes' resourceVersions are comparable decimals of one
 * counter; where one is missing or no decimal, what came last is taken for newer.
 */
export function isNewer(version: string | undefined, than: string | undefined): boolean {
  if (version === undefined || than === undefined || !/^\d+$/.test(version) || !/^\d+$/.test(than)) return true;
  return version.length === than.length ? version >= than : version.length > than.length;
}
