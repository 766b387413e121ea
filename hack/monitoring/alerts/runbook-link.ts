/** From another page of docs. */
export function runbookLink(alert: string): string {
  return `[${alert}](runbooks.md#${alert.toLowerCase()})`;
}
