update models set model_name = cast(x'fffe' as text), architecture = cast(x'c0af' as text);
