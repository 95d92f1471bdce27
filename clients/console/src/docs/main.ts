/**
 * The reference at `/docs`, and in a folder that `fairlead docs build` has written: the OpenAPI document that the page names, shown by Redoc.
 * Redoc reports nothing to its makers from here: that is switched off, and the page may reach no other address in any case.
 */
import { init } from "redoc/bundles/redoc.standalone.js";
import { pageHeaders } from "../api/page-headers.ts";
import { failureText } from "./failure.ts";

const element = document.getElementById("reference");
if (element !== null) await show(element, element.dataset.document ?? "openapi.json");

async function show(place: HTMLElement, address: string): Promise<void> {
  const answer = await fetch(address, { headers: pageHeaders }).catch(() => undefined);
  if (answer?.ok !== true) {
    place.textContent = failureText(answer?.status);
    return;
  }
  const described: { readonly info?: { readonly title?: string } } = await answer.json();
  document.title = `${described.info?.title ?? "Reference"}: reference`;
  init(described, { disableTelemetry: true, hideDownloadButtons: true, jsonSamplesExpandLevel: 3 }, place);
}
