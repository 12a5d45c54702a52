/** Prints what is shown: the browser also writes it as PDF. */
export const Print = () => (
  <button type="button" onClick={() => print()}>
    Print, or save as PDF
  </button>
)
