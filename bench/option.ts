/** What the command line of a bench says behind `--name`; undefined where it says nothing. */
export const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
