/** Attempts at a download, whatever the server answers (ingest I28). */
export const downloadTries = 5
