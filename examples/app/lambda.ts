/**
 * A handler as a function of AWS Lambda behind a function URL or an HTTP API (payload 2.0):
 *
 *     export const handler = onLambda(answer);
 *
 * Answers go out as a whole; what they are made of is buffered.
 */

/** What is read of the event. */
export interface LambdaEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } };
}

interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: true;
}

/** `undefined` for what the web has no requests of: TRACE, CONNECT. */
const makeRequest = (url: URL, init: RequestInit): Request | undefined => {
  try {
    return new Request(url, init);
  } catch {
    return undefined;
  }
};

export const onLambda =
  (answer: (request: Request) => Promise<Response>) =>
  async (event: LambdaEvent): Promise<LambdaResult> => {
    const { rawPath, rawQueryString, body, isBase64Encoded = false, requestContext: context } = event;
    const url = new URL(`https://${context.domainName}${rawPath}${rawQueryString && "?"}${rawQueryString}`);
    const headers = Object.entries(event.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    );
    if (event.cookies !== undefined) headers.push(["cookie", event.cookies.join("; ")]);
    const { method } = context.http;
    // A web request of these has no body, and it is an error to give it one.
    const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
    const sent = hasBody ? Buffer.from(body, isBase64Encoded ? "base64" : "utf8") : null;
    const request = makeRequest(url, { method, headers, body: sent });
    const response = request === undefined ? new Response(null, { status: 405 }) : await answer(request);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()).toString("base64"),
      isBase64Encoded: true,
    };
  };
