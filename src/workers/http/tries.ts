/** Of whatever is downloaded, and whatever the server answers (ingest I28). */
export const downloadTries = 5
