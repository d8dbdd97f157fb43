/** The directory of the embedded database where the configuration names none, relative to where the process was started. */
export const DATA_DIRECTORY = '.railyard';
