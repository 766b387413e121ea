/** The last part of a path; the rest would fill the header, and stands in its title. */
export function fileName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
