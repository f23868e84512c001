/**
 * The app cannot be served as it is: a fault that the real host or worker would refuse, or a feature that this
 * local host does not imitate. The command line ends with exit code 2 and the message alone.
 */
export class HostRefusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HostRefusal';
  }
}
