/** What JSX in pages of services is compiled to. Built to `/console/kit/1/jsx-runtime.js`. */
export { Fragment, jsx, jsxs } from "react/jsx-runtime";
