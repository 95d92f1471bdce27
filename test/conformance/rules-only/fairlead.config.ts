/** The shipped rules service by itself, for kernels in this process and in processes of their own. */
export default { manifest: "./manifest.ts" };
