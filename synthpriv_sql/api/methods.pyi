"""The functions of sql/ as methods. Written by ``make methods`` from the headers there: do not edit."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Never, TypeAlias, TypedDict

from synthpriv_sql.progress import Progress
from synthpriv_sql.remedies.result import Remedy
from synthpriv_sql.report.evaluation import Evaluation
from synthpriv_sql.results.result import Result

Table: TypeAlias = Any
"""A name, a file, a query in parentheses, or a table of Python: see `Session`."""
Attack: TypeAlias = Callable[[Any, Any], Any]
"""An attack of your own: takes the real records and the synthetic ones, as Arrow tables; gives the real ones scores."""
OneAttack: TypeAlias = str | Attack | Mapping[str, Attack]
"""The name of an attack of ours, or one of your own: called as the function is, or by the name of a mapping."""
Attacks: TypeAlias = OneAttack | Sequence[OneAttack]
"""One attack, or several."""

class EvaluateOptions(TypedDict, total=False):
    """The options of `evaluate`."""

    quasi_identifiers: Sequence[str] | None
    targets: Sequence[str] | None
    sensitive: Sequence[str] | None
    known: Sequence[str] | None
    secrets: Sequence[str] | None
    other: Sequence[str] | None
    risks: bool
    k: int | None
    threshold: float | Sequence[float]
    statistic: Literal["median", "mean"]
    normalizer: float | None
    attack: Attacks
    named_by: Attacks
    false_discovery: float
    tolerance: float
    identifiers: Literal["warn", "exclude", "compare"]
    children: Mapping[str, Sequence[Table]] | None
    sample: int | None
    effort: Literal["quick", "full"] | None
    near: float
    width: int
    combinations: int
    folds: int | None
    hints: Sequence[str] | None
    metric: Literal["gower", "euclidean", "manhattan", "hamming"]
    scaling: Literal["standard", "minmax", "robust", "none"] | None
    columns: Sequence[str] | None
    exclude: Sequence[str] | None
    numeric: Sequence[str] | None
    categorical: Sequence[str] | None
    text: Sequence[str] | None
    weights: Mapping[str, float] | None
    category_mismatch: float
    vectors: Literal["euclidean", "cosine"]
    key: str | None
    unit: str | None
    unit_score: Literal["mean", "max", "sum"]
    shared_units: bool
    order: str | None
    length: int
    seed: int
    releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None
    history: str | None
    spend: bool | None
    group_by: Sequence[str] | None
    strict_groups: bool
    csv: Mapping[str, Any] | None
    json: Sequence[str] | None
    auto_cast: bool
    exclude_unsupported: bool
    progress: Progress | bool | None
    pushdown: Literal["auto", "require"] | None
    language: str | None

class Methods(ABC):
    """A method for each function; each is one call of `call`."""

    @abstractmethod
    def call(self, function: str, /, *surplus: Any, **given: Any) -> Result:
        """Call a function by its name."""

    def anonymity(
        self,
        data: Table,
        quasi_identifiers: Sequence[str],
        *surplus: Never,
        sensitive: Sequence[str] | None = None,
        l: int = 2,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """What equivalence classes disclose about sensitive columns: k-anonymity, l-diversity, alpha, t-closeness,
        beta-likeness and delta-disclosure.

        Parameters
        ----------
        data : table
            The table.
        quasi_identifiers : sequence of str
            The columns that together may identify a person.
        sensitive : sequence of str, optional
            The columns whose values should stay confidential; without them, only the classes are measured.
        l : int, default 2
            The l of recursive_c; at least 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR, the sensitive column; NULL without one, like all columns after k
            - rows: BIGINT
            - classes: BIGINT, number of equivalence classes; NULL counts as a value
            - uniques: BIGINT, classes of one record
            - k: BIGINT, the smallest class; NULL without rows
            - distinct_l: BIGINT, the smallest number of distinct values in a class
            - entropy_l: DOUBLE, the smallest exp(entropy) of a class: the number of equally frequent values with the
              same diversity
            - recursive_c: DOUBLE, the largest ratio, over classes, of the count of the most frequent value to the total
              count of the values from the l-th most frequent on; infinite if a class has fewer than l values
            - alpha: DOUBLE, the largest share of one value in a class
            - t_equal: DOUBLE, the largest total variation distance between a class and the table
            - t_ordered: DOUBLE, the same with the earth mover's distance over the ranks of values, missing ones last;
              numbers and times only
            - beta: DOUBLE, the largest relative gain: share in the class / share in the table - 1
            - enhanced_beta: DOUBLE, beta, limited to -ln of the share of the rarest value
            - delta: DOUBLE, the largest |ln(share in the class / share in the table)|

        Notes
        -----
        Sweeney 2002; Machanavajjhala et al., TKDD 1 (2007); Wong et al., KDD 2006; Li et al., ICDE 2007; Brickell and
        Shmatikov, KDD 2008; Cao and Karras, PVLDB 5 (2012).
        """

    def reidentification(
        self,
        data: Table,
        quasi_identifiers: Sequence[str],
        *surplus: Never,
        population: Table | None = None,
        threshold: float = 0.2,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The re-identification risk of records: for a target known to be in the table (prosecutor) and, with a
        population, for one known to be in the population (journalist, marketer).

        Parameters
        ----------
        data : table
            The table.
        quasi_identifiers : sequence of str
            The columns that may identify a person.
        population : table, optional
            The population that the table is a part of.
        threshold : float, default 0.2
            The risk above which a record counts as at risk; at least 0 and at most 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - prosecutor_share: DOUBLE, the share of records with 1 / class size above the threshold
            - prosecutor_max: DOUBLE, the largest 1 / class size
            - prosecutor_mean: DOUBLE, the mean of 1 / class size over records: classes / rows
            - unique_share: DOUBLE, the share of records that are alone in their class
            - journalist_share: DOUBLE, like prosecutor_share, with the class size in the population; NULL without one,
              like all columns below
            - journalist_max: DOUBLE, the largest 1 / size in the population
            - journalist_mean: DOUBLE, the larger of marketer and (number of classes / people in these classes)
            - marketer: DOUBLE, the mean over records of 1 / size in the population
            - k_map: BIGINT, the smallest class size in the population among the records' classes
            - delta_min: DOUBLE, the smallest share of a population class that is in the table
            - delta_max: DOUBLE, the largest such share

        Notes
        -----
        Prosecutor, journalist and marketer risk: El Emam, Guide to the De-Identification of Personal Health
        Information, 2013; delta-presence: Nergiz et al., SIGMOD 2007; k-map: Sweeney, 2001.
        """

    def baseline(
        self,
        train: Table,
        p: float = 0.5,
        *,
        seed: int = 0,
        out_of_bag: bool = False,
        noise: Literal["none", "donor"] = "none",
        trees: int = 100,
        sample: int | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The random forest baseline: a copy of train in which each cell is replaced, with probability p, by the
        prediction of a random forest.

        Parameters
        ----------
        train : table
            The original rows.
        p : float, default 0.5
            The probability that a cell is replaced; with the same seed, cells replaced at a smaller p are also replaced
            at a larger one; at least 0 and at most 1.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        out_of_bag : bool, default False
            Predict each record only with trees that were not trained on it.
        noise : {'none', 'donor'}, default 'none'
            donor: use the value of a random original record from the same leaf instead of the prediction.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        sample : int, optional
            The maximum number of records that a tree is trained on, drawn with replacement. Default: a fifth of all
            records, at least 3,000 and at most 20,000; at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The table's own columns.

        Notes
        -----
        Random forests: Breiman, Machine Learning 45 (2001). Between the original (p = 0) and a table of predictions
        alone (p = 1).
        """

    def baseline_sweep(
        self,
        train: Table,
        p: float | Sequence[float] = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
        threshold: float | Sequence[float] = (0.1, 0.5),
        *,
        seed: int = 0,
        out_of_bag: bool = False,
        noise: Literal["none", "donor"] = "none",
        trees: int = 100,
        sample: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Privacy and resemblance of the random forest baseline to train, for several probabilities p of replacing a
        cell.

        Parameters
        ----------
        train : table
            The original rows.
        p : float or sequence of float, default (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
            As in baseline, any number of values; the forests are trained once; at least 0 and at most 1.
        threshold : float or sequence of float, default (0.1, 0.5)
            As in mda, any number of values; above 0 and below 1.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        out_of_bag : bool, default False
            Predict each record only with trees that were not trained on it.
        noise : {'none', 'donor'}, default 'none'
            donor: use the value of a random original record from the same leaf instead of the prediction.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        sample : int, optional
            The maximum number of records that a tree is trained on, drawn with replacement. Default: a fifth of all
            records, at least 3,000 and at most 20,000; at least 1.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of p and threshold:

            - p: DOUBLE
            - threshold: DOUBLE
            - privacy_area: DOUBLE, the mean of the curve below the threshold: 0 if no record is that near, 1 for an
              exact copy
            - privacy: DOUBLE, 1 - privacy_area
            - resemblance: DOUBLE, the mean of the curve above the threshold: 1 if every record is that near

        Notes
        -----
        Minimum distance accumulation of the baseline at each p, with one normalizer for all of them: the largest
        distance.
        """

    def candidates(
        self,
        synthetic: Mapping[str, Table] | Sequence[str],
        train: Table,
        holdout: Table,
        attack: str | Sequence[str] = ("distance", "density", "agreement", "agreement_near", "uniques", "learned"),
        false_discovery: float = 0.05,
        tolerance: float = 0.02,
        children: Mapping[str, Sequence[Table]] | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        spend: bool | None = None,
        trees: int = 100,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        language: str | None = None,
        **unknown: Never,
    ) -> Result:
        """Compares several synthetic tables in utility and privacy, and marks those that another one dominates in both.

        Parameters
        ----------
        synthetic : mapping of str to table, or sequence of str
            The synthetic tables by name, or a list of the names of tables.
        train : table
            The real rows that the synthesizers saw.
        holdout : table
            Real rows that they never saw, drawn as train was.
        attack : sequence of str, default ('distance', 'density', 'agreement', 'agreement_near', 'uniques', 'learned')
            Membership attacks; the most successful one counts. Any of 'distance', 'ratio', 'density', 'agreement',
            'agreement_near', 'uniques', 'learned'.
        false_discovery : float, default 0.05
            As in exposure; above 0 and below 1.
        tolerance : float, default 0.02
            As in evaluate: what an attack must reach beyond chance to matter; at least 0 and below 0.5.
        children : mapping of str to four: tables, and a str, optional
            As in evaluate, but with one synthetic table per candidate, as a list in the same order or by name; learned
            uses no scores of children here.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        spend : bool, optional
            Whether release number k takes 6 / (pi k)^2 of false_discovery, so that the people named in all releases
            together stay below it; k is one more than the releases before. Yes with a history, no otherwise.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.
        language : str, optional
            The language of sentences for people, such as 'de'; English if not given.

        Returns
        -------
        Result
            Columns:

            - candidate: VARCHAR, the name of the table; for one that cannot be compared with train and the holdout,
              only reason is filled
            - fidelity: DOUBLE, the overall fidelity of fidelity_summary, from 0 to 1 (identical)
            - detection: DOUBLE, the area under the ROC curve of a random forest that distinguishes it from train; 0.5
              if it cannot
            - attack: VARCHAR, the most successful attack
            - auc: DOUBLE, the area under the ROC curve of this attack; 0.5 if it learns nothing
            - lower: DOUBLE, lower end of the 95 % interval of auc; biased upwards, as auc is the largest of several
            - upper: DOUBLE, upper end
            - exposed: BIGINT, people of train whom the attacks uniques and learned identify as members; a share of at
              most false_discovery of them is expected to be false
            - copies: BIGINT, synthetic records that equal a train record
            - holdout_share: DOUBLE, the share of synthetic records closer to train than to the holdout: holdout_share
              at depth all
            - beaten_by: VARCHAR[], candidates that are at least as good in both fidelity and auc, and better in one of
              them
            - reason: VARCHAR, why the table could not be compared; NULL if it was
            - at_least: BIGINT, at least so many people of train are given away at the top of the list of some attack:
              the largest at_least of membership over these attacks. With releases, attack, auc, exposed and at_least
              are those of the candidate together with all of these
            - matters: BOOLEAN, whether an attack succeeds by more than chance (p_adjusted of membership below 0.001)
              and by so much that it matters: the lower end of its auc above 0.5 + tolerance, that of the share found at
              1 % false positives at least tolerance, or traced_lower at least half of it

        Notes
        -----
        Fidelity: fidelity_summary; detection: detection; attacks: membership; people: exposure; dominance: Pareto,
        Manuale di economia politica (1906).
        """

    def flatten(
        self,
        parents: Table,
        children: Table,
        key: str,
        order: str | None = None,
        prefix: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """A table of parents with aggregates of their children: their number, and a few statistics of each column.

        Parameters
        ----------
        parents : table
            A table with one row per parent; all of its columns are kept.
        children : table
            A table with any number of rows per parent; the distance options refer to its columns.
        key : str
            The column of both tables that links children to parents.
        order : str, optional
            A column of children that orders them, such as a time; adds the first and the last value of each column (in
            SQL the name of this parameter must be quoted, as it is a keyword).
        prefix : str, optional
            A prefix for the names of the new columns, for parents with several child tables: visits_ gives visits_rows.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The columns of parents, rows (BIGINT, its children), and of each column c of children c_min, c_max and
            c_mean (numbers and times) or c_most (the most frequent value, of several the first in text order) and
            c_distinct (others), with order c_first and c_last; NULL where a parent has no children.

        Notes
        -----
        Aggregates of child tables as features of their parent, as in relational learning; ties and types are stated
        with the columns.
        """

    def comparison(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        statistic: Literal["median", "mean"] = "median",
        k: int = 5,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """DCR and NNDR of synthetic to train, compared with those of real rows: differences, scores and bands (not
        month to month: changes; not table to table: candidates).

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw; without them, the baseline is train within itself.
        statistic : {'median', 'mean'}, default 'median'
            The statistic that is compared.
        k : int, default 5
            As in nndr; at least 1.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - metric: VARCHAR: dcr, nndr_second, nndr_within_synthetic, nndr_local, nndr_global
            - baseline: VARCHAR: holdout or train
            - baseline_value: DOUBLE, the statistic of the baseline to train
            - synthetic_value: DOUBLE, the statistic of synthetic to train
            - difference: DOUBLE, baseline_value - synthetic_value; positive if synthetic is closer to train than real
              rows are
            - difference_percent: DOUBLE, difference in percent of baseline_value; NULL, like scores and band, if that
              is 0 (real rows repeat each other) or one of the two values is infinite
            - privacy_score: DOUBLE, 100 - difference_percent
            - privacy_score_clipped: DOUBLE, the same, clipped to [0, 100]
            - band: VARCHAR, expected privacy: high (difference below 10 %), medium, or low (above 50 %)

        Notes
        -----
        Test-train comparison of privacy metrics, with bands at 10 % and 50 %.
        """

    def dcr_summary(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        shared_units: bool = False,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The distribution of DCR of synthetic to train, with that of the holdout to train and of train within itself.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - comparison: VARCHAR: synthetic_train, holdout_train (with a holdout), train_train (each record against the
              others)
            - n: BIGINT, number of records; with unit, of persons, each measured by the mean over its rows
            - min: DOUBLE
            - p01: DOUBLE, the 1st percentile
            - p05: DOUBLE
            - p25: DOUBLE
            - median: DOUBLE
            - p75: DOUBLE
            - mean: DOUBLE
            - max: DOUBLE
            - share_zero: DOUBLE, the share of records at distance 0

        Notes
        -----
        Quantiles interpolate linearly.
        """

    def holdout_share(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        distances: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        shared_units: bool = False,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The share of synthetic records whose closest real record is in train rather than in the holdout: among all,
        among those near a real record, and among copies.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw.
        distances : table, optional
            Neighbors by your own distance: for each synthetic record (query) all nearest real records (neighbor; train
            followed by the holdout), including ties, by rank. There is then no depth near.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - depth: VARCHAR: all, near (no farther from a real record than the nearest 5 % of real records are from
              each other) or copies (at distance 0)
            - closer: BIGINT, synthetic records closer to train than to holdout
            - further: BIGINT, synthetic records closer to holdout
            - equal: BIGINT, synthetic records equally close to both
            - n: BIGINT, synthetic records of this depth
            - share: DOUBLE, the mean share of train among the closest real records of a synthetic record; distances are
              scaled by train and holdout together, those for the counts by train
            - expected: DOUBLE, the share without a leak: rows (or persons) of train / (train + holdout)
            - lower: DOUBLE, lower end of the 95 % interval of share; records with the same closest real record, or
              person, count as one draw
            - upper: DOUBLE, upper end
            - z: DOUBLE, (share - expected) / its standard deviation under permuted labels; negative: closer to the
              holdout
            - p_value: DOUBLE, two-sided: the probability of a difference from expected at least this large without a
              leak; from 9,999 permutations of labels if there are fewer than 30 records, or few real ones have most of
              the weight

        Notes
        -----
        Platzer and Reutterer, Frontiers in Big Data 4 (2021). The assignment to train is what is random: the variance
        is that of permuting the labels, so synthetic records with the same closest real record are not independent
        evidence.
        """

    def nndr_summary(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        variant: Literal["second", "within_synthetic", "local", "global"] = "second",
        k: int = 5,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The distribution of NNDR of synthetic to train, with that of the holdout to train and of train within itself.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        variant : {'second', 'within_synthetic', 'local', 'global'}, default 'second'
            As in nndr.
        k : int, default 5
            As in nndr; at least 1.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - comparison: VARCHAR: synthetic_train, holdout_train (with a holdout), train_train (each record against the
              others)
            - n: BIGINT, records measured
            - min: DOUBLE
            - p01: DOUBLE, the 1st percentile
            - p05: DOUBLE
            - p25: DOUBLE
            - median: DOUBLE
            - p75: DOUBLE
            - mean: DOUBLE
            - max: DOUBLE
            - share_zero: DOUBLE, the share of records with ratio 0

        Notes
        -----
        Quantiles interpolate linearly; an infinite ratio is larger than any other.
        """

    def dimension_columns(
        self,
        train: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which columns dominate the distance? The mean difference between two records of train in each column, and its
        share of the total.

        Parameters
        ----------
        train : table
            The real rows that the synthesizer saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR, the column; largest share first
            - role: VARCHAR: numeric, temporal or categorical
            - mean_difference: DOUBLE, over all pairs of records: 1 for two different categories, or a value and a
              missing one; for numbers and times the difference / range; NULL for fewer than two records
            - share: DOUBLE, weight * mean_difference as a share of the sum over all columns; NULL if that is 0

        Notes
        -----
        Contributions to Gower's distance over all pairs of records; for numbers, Gini's mean difference.
        """

    def dimensions(
        self,
        train: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Are distances still meaningful? The nearest distances in train compared with those of any two records, and
        the intrinsic dimension.

        Parameters
        ----------
        train : table
            The real rows that the synthesizer saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - records: BIGINT
            - columns: BIGINT, number of compared columns
            - effective_columns: DOUBLE, the number of columns with equal shares that would have the same concentration:
              1 / the sum of squared shares
            - mean_distance: DOUBLE, the mean Gower distance over all pairs of records
            - mean_nearest: DOUBLE, the mean distance of a record to its nearest other record
            - contrast: DOUBLE, mean_nearest / mean_distance: near 0 if records have close neighbors, near 1 if any two
              records are about equally far apart, so that distances mean little
            - intrinsic_dimension: DOUBLE, estimated from the ratio of the distances to the second and the first
              neighbor; records with duplicates are left out; NULL if no second neighbor is farther than the first

        Notes
        -----
        Contrast of distances: Beyer et al., ICDT 1999; intrinsic dimension by the two nearest neighbors: Facco et al.,
        Scientific Reports 7 (2017).
        """

    def principal_axes(
        self,
        train: Table,
        components: int = 2,
        categories: int = 10,
        *,
        scaling: Literal["standard", "minmax", "robust", "none"] = "standard",
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The composition of the components of reduce: the variance of train that each explains, and the contribution
        of each column.

        Parameters
        ----------
        train : table
            The table that the axes are fitted on.
        components : int, default 2
            As in reduce; at least 1 and at most 1000.
        categories : int, default 10
            As in reduce; at least 1 and at most 1000.
        scaling : {'standard', 'minmax', 'robust', 'none'}, default 'standard'
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - component: BIGINT, from 1
            - explained: DOUBLE, the share of the variance of train that it explains; NULL if all records of train are
              equal
            - column_name: VARCHAR
            - share: DOUBLE, the share of the column in the component: the sum of its squared coefficients, which is 1
              over all columns, or 0 for a component without variance
            - loading: DOUBLE, the coefficient of a numeric column: positive if the component grows with it; NULL for
              categories and constant numbers

        Notes
        -----
        As reduce. Explained: the variance of a component over that of all points.
        """

    def reduce(
        self,
        train: Table,
        data: Table,
        components: int = 2,
        categories: int = 10,
        *,
        scaling: Literal["standard", "minmax", "robust", "none"] = "standard",
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The coordinates of a table's records on the principal axes of train: a few columns in place of many.

        Parameters
        ----------
        train : table
            The table that the axes are fitted on, whichever table is reduced: real rows; to compare train and holdout,
            both together.
        data : table
            The table that is reduced.
        components : int, default 2
            Number of components, by descending variance of train. The largest coefficient of each is positive.
            Components beyond the variance of train are 0 for all records; at least 1 and at most 1000.
        categories : int, default 10
            Number of categories per column that are encoded separately: the most frequent ones of train; all others
            share one, and missing values have their own; at least 1 and at most 1000.
        scaling : {'standard', 'minmax', 'robust', 'none'}, default 'standard'
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            component_1 and so on, DOUBLE, in the order of record; then:

            - record: BIGINT, position in data

        Notes
        -----
        Principal component analysis: Pearson, Philosophical Magazine 2 (1901). The points are those whose Euclidean
        distance is the metric euclidean: numbers over their spread in train, and a dimension for each category.
        """

    def best_discernibility(
        self,
        n: int,
        k: int = 1,
        *,
        csv: Mapping[str, Any] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The best discernibility that n rows can have with classes of at least k, and the common formula for it.

        Parameters
        ----------
        n : int
            rows; at least 0.
        k : int, default 1
            Smallest class allowed; more than n rows is an error; at least 1.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - best: HUGEINT, the smallest sum of squared class sizes; 0 for no rows
            - documented: HUGEINT, (n//k - R) k² + R (k+1)² with R = n % k: the true minimum only if R <= n//k

        Notes
        -----
        Sum of squared class sizes, Bayardo and Agrawal, ICDE 2005; the true minimum spreads the remainder over all
        classes.
        """

    def discernibility(
        self,
        data: Table,
        quasi_identifiers: Sequence[str],
        *surplus: Never,
        k: int | None = None,
        suppressed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Discernibility of a table over quasi-identifiers: the sum of the squared class sizes, with a penalty for
        suppressed rows.

        Parameters
        ----------
        data : table
            The table.
        quasi_identifiers : sequence of str
            The columns that together may identify a person.
        k : int, optional
            Classes smaller than k are suppressed; at least 1.
        suppressed : int, default 0
            Number of rows that were removed from the table beforehand; at least 0.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - discernibility: HUGEINT, the sum of squared sizes of the kept classes, plus the number of rows for each
              suppressed row
            - rows: BIGINT, the original number of rows, including suppressed ones
            - suppressed: BIGINT, suppressed rows: those removed beforehand and those in classes smaller than k
            - classes: BIGINT, classes in the table, including those smaller than k
            - smallest_class: BIGINT, the k of the table's k-anonymity; NULL without rows
            - average_class_size: DOUBLE, rows of the table per class
            - c_avg: DOUBLE, rows / (classes * k); NULL without k, like the following four
            - rows_below_k: BIGINT, rows in classes smaller than k
            - classes_below_k: BIGINT, classes smaller than k
            - best: HUGEINT, the smallest possible discernibility of the rows with classes of at least k; NULL if k
              exceeds the number of rows
            - ratio_to_best: DOUBLE, discernibility / best

        Notes
        -----
        Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006.
        """

    def discernibility_from_classes(
        self,
        classes: Table,
        size: str | None = None,
        k: int | None = None,
        suppressed: int = 0,
        *,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Discernibility of a table, computed from the sizes of its equivalence classes.

        Parameters
        ----------
        classes : table
            A table with one row per class.
        size : str, optional
            Its column of class sizes; by default size or count.
        k : int, optional
            classes smaller than k are suppressed; at least 1.
        suppressed : int, default 0
            Number of rows that were removed from the table beforehand; at least 0.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - discernibility: HUGEINT, the sum of squared sizes of the kept classes, plus the number of rows for each
              suppressed row
            - rows: BIGINT, the original number of rows, including suppressed ones
            - suppressed: BIGINT, suppressed rows: those removed beforehand and those in classes smaller than k
            - classes: BIGINT, classes in the table, including those smaller than k
            - smallest_class: BIGINT, the k of the table's k-anonymity; NULL without rows
            - average_class_size: DOUBLE, rows of the table per class
            - c_avg: DOUBLE, rows / (classes * k); NULL without k, like the following four
            - rows_below_k: BIGINT, rows in classes smaller than k
            - classes_below_k: BIGINT, classes smaller than k
            - best: HUGEINT, the smallest possible discernibility of the rows with classes of at least k; NULL if k
              exceeds the number of rows
            - ratio_to_best: DOUBLE, discernibility / best

        Notes
        -----
        Discernibility metric: Bayardo and Agrawal, ICDE 2005; c_avg: LeFevre et al., ICDE 2006.
        """

    def equivalence_classes(
        self,
        data: Table,
        quasi_identifiers: Sequence[str],
        *,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The equivalence classes over quasi-identifiers: each combination of values, with its number of records.

        Parameters
        ----------
        data : table
            The table.
        quasi_identifiers : sequence of str
            The columns that together may identify a person.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The quasi-identifiers, in the order of size; then:

            - size: BIGINT, number of records in the class; smallest classes first (named size_1 if a quasi-identifier
              is named size)

        Notes
        -----
        Sweeney, k-anonymity, IJUFKS 10 (2002).
        """

    def attribute_inference(
        self,
        synthetic: Table,
        train: Table,
        known: Sequence[str],
        secrets: Sequence[str],
        holdout: Table | None = None,
        tolerance: float = 0.05,
        attack: str | Sequence[str] = "nearest",
        false_discovery: float = 0.05,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How often synthetic reveals a person's secret columns to somebody who knows others, compared with people who
        were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        known : sequence of str
            The columns that an attacker knows, or all: all but the secrets.
        secrets : sequence of str
            The columns that the attacker wants to learn, all in one search, or all: all but the known ones (at most
            12); where both are all, each column is inferred from the others, by a model only.
        holdout : table, optional
            Real rows that it never saw: the control.
        tolerance : float, default 0.05
            A number counts as correct within this share of the true value's magnitude, a time within this share of the
            range of real times; at least 0.
        attack : sequence of str, default 'nearest'
            How the attacker guesses: nearest, the secret of the nearest synthetic record; learned, by a model trained
            on synthetic; or both. Any of 'nearest', 'learned'.
        false_discovery : float, default 0.05
            learned: the expected share of false ones among the secrets that count as read; above 0 and below 1.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - secret: VARCHAR
            - n: BIGINT, train records
            - hits: BIGINT, train records whose secret equals that of the nearest synthetic record (ties: the smallest
              record number), or the guess of the model; missing equals missing
            - rate: DOUBLE, hits / n
            - tie_fair_rate: DOUBLE, nearest: the mean share of correct records among equally near synthetic records
            - baseline: DOUBLE, the rate of always guessing the most frequent value of synthetic, or the median of a
              number
            - control: DOUBLE, the rate for holdout records; NULL without a holdout, like all columns below but attack
              and others
            - risk: DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest
              possible increase
            - lower: DOUBLE, lower end of a 95 % interval of risk
            - upper: DOUBLE, upper end
            - attack: VARCHAR, nearest or learned
            - excess: DOUBLE, rate - control: what is guessed of people of train and not of strangers
            - excess_lower: DOUBLE, lower end of its 95 % interval
            - excess_upper: DOUBLE, upper end
            - others: DOUBLE, learned, like all columns below: the rate of a model trained on other real people, whom
              the attacker does not have
            - auc: DOUBLE, how often the score (see inference_scores) is larger for a person of train than for one of
              the holdout; 0.5 if synthetic tells no more of people of train than of strangers
            - auc_lower: DOUBLE, lower end of the 95 % interval (DeLong); NULL if a side has only one record
            - auc_upper: DOUBLE, upper end
            - p_value: DOUBLE, one-sided: the probability of an auc at least this large without a leak
            - at_least: BIGINT, at least so many people of train have their secret given away beyond what chance
              explains, as in membership, at 95 % for all secrets at once
            - listed: BIGINT, how many people of train that part of the list has
            - top_p_value: DOUBLE, one-sided: the probability of so many people of train at the top of the list without
              a leak, as in membership
            - read: BIGINT, how many people of train have a secret that counts as read: their q_value in
              inference_scores is at most false_discovery

        Notes
        -----
        Attribute inference by the nearest record, for all records and with a control: Giomi et al., PoPETs 2023, for
        the residual risk; intervals: propagated from Wilson intervals; excess: Newcombe, Statistics in Medicine 17
        (1998); models: see inference_scores.
        """

    def disclosure(
        self,
        synthetic: Table,
        train: Table,
        quasi_identifiers: Sequence[str],
        *surplus: Never,
        targets: Sequence[str] | None = None,
        holdout: Table | None = None,
        bins: int = 10,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """What a synthetic table discloses through groups of records: replicated uniques and targets that follow from
        quasi-identifiers, compared with people who were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        quasi_identifiers : sequence of str
            The columns that an attacker knows of a person.
        targets : sequence of str, optional
            The columns that the attacker wants to learn; by default all others.
        holdout : table, optional
            Real rows that it never saw: the control. Numbers of uniques depend on the number of rows, so it should have
            as many as train.
        bins : int, default 10
            The number of groups, with equally many train records each, that numeric targets are binned into; 0: no
            binning; at least 0.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - target: VARCHAR; NULL for measures of the quasi-identifiers alone
            - measure: VARCHAR: unique_real, replicated_uniques, keys_in_synthetic; for a target attributable_real,
              attributable_synthetic, disclosive_in_synthetic, correct_disclosures, DiSDiO, baseline, CAPd, CAPs, DCAP,
              TCAP
            - value: DOUBLE, a share of the records of train (attributable_synthetic, CAPs: of synthetic; TCAP: of the
              records that disclosive_in_synthetic counts)
            - holdout: DOUBLE, the same with holdout in place of train; NULL without one, and for measures of synthetic
              alone
            - excess: DOUBLE, value - holdout: what is disclosed about people because they were in the training data
            - lower: DOUBLE, lower end of a 95 % interval of the excess
            - upper: DOUBLE, upper end

        Notes
        -----
        repU and DiSCO: Raab, Nowok and Dibben, arXiv 2406.16826; correct attribution probability: Elliot 2014; interval
        of the excess: Newcombe, Statistics in Medicine 17 (1998).
        """

    def inference_scores(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        known: Sequence[str],
        secrets: Sequence[str],
        tolerance: float = 0.05,
        *,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """What synthetic tells of each person's secrets beyond what other real people tell: a score for each person and
        secret.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw: they show what is learned about people like those of train.
        known : sequence of str
            The columns that an attacker knows, or all: all but the secrets.
        secrets : sequence of str
            The columns that the attacker wants to learn, or all: all but the known ones (at most 12); where both are
            all, each column is inferred from the others.
        tolerance : float, default 0.05
            A number counts as correct within this share of the true value's magnitude, a time within this share of the
            range of real times; at least 0.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - side: VARCHAR, train or holdout: the table of the record
            - record: BIGINT, the record's 0-based position in scan order
            - secret: VARCHAR
            - right: BOOLEAN, whether the guess of the model trained on synthetic is correct; missing equals missing
            - others_right: BOOLEAN, the same for a model trained on other real people of both tables, without their
              side
            - score: DOUBLE, the logarithm of the probability that the model trained on synthetic gives the true value
              (a number: its group of 20), minus that of the other model; positive if synthetic tells more
            - sure: DOUBLE, how sure random trees that know synthetic by heart are of the true value: the logarithm of
              its odds, less half of that by trees of other real people
            - q_value: DOUBLE, the smallest false discovery rate at which the secret counts as read (train only): the
              holdout shows how often the trees are as sure of strangers; includes the factor for the number of secrets

        Notes
        -----
        A model of the secret trained on synthetic, beside one trained on other real people: the difference of their
        log-likelihoods, as in the likelihood ratio attack of Carlini et al., IEEE S&P 2022; false discoveries:
        Benjamini and Hochberg, JRSS B 57 (1995).
        """

    def linkability(
        self,
        synthetic: Table,
        train: Table,
        known: Sequence[str],
        other: Sequence[str],
        holdout: Table | None = None,
        k: float | Sequence[float] = (1.0, 5.0, 10.0),
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How often an attacker can link two sets of columns of a person through a common nearest synthetic record,
        compared with people who were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        known : sequence of str
            The columns of the first source.
        other : sequence of str
            The columns of the second source.
        holdout : table, optional
            Real rows that it never saw: the control.
        k : float or sequence of float, default (1.0, 5.0, 10.0)
            Number of nearest records of each source that may contain the common record; a list gives one row per value;
            whole and at least 1.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of k:

            - k: BIGINT
            - n: BIGINT, train records
            - hits: BIGINT, train records whose k nearest by known and k nearest by other share a synthetic record
              (ties: the smallest record numbers)
            - rate: DOUBLE, hits / n
            - control: DOUBLE, the rate for holdout records; NULL without a holdout, like all columns below
            - risk: DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest
              possible increase
            - lower: DOUBLE, lower end of a 95 % interval of risk
            - upper: DOUBLE, upper end

        Notes
        -----
        Linkability, for all records and with a control: Giomi et al., PoPETs 2023; intervals: propagated from Wilson
        intervals.
        """

    def singling_out(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        predicates: int = 500,
        columns: int = 1,
        *,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How often a predicate that matches exactly one synthetic record matches exactly one real record, compared
        with people who were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: the control.
        predicates : int, default 500
            With several columns: the maximum number of predicates that are tested, out of 20 times as many that are
            drawn; on one column all are tested; at least 1.
        columns : int, default 1
            Number of columns in a predicate; at least 1.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - n: BIGINT, predicates that match exactly one synthetic record: a value that occurs once, less than the
              second smallest number, greater than the second largest; with several columns, a record's values in
              randomly drawn columns, at least one of them not missing
            - hits: BIGINT, predicates that also match exactly one train record
            - rate: DOUBLE, hits / n; if the holdout is smaller than train, the expected value for a sample of train of
              its size
            - control: DOUBLE, the same for the holdout or, if it is larger, for a sample of it of the size of train;
              NULL without a holdout, like all columns below
            - risk: DOUBLE, (rate - control) / (1 - control): the increase over the control as a share of the largest
              possible increase
            - lower: DOUBLE, lower end of a 95 % interval of risk
            - upper: DOUBLE, upper end

        Notes
        -----
        Singling out: Cohen and Nissim, PNAS 117 (2020), and Giomi et al., PoPETs 2023; here all predicates on one
        column, and a control adjusted to equal size by the hypergeometric distribution; intervals: propagated from
        Wilson intervals.
        """

    def dcr(
        self,
        synthetic: Table,
        train: Table,
        distances: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Distance to closest record (DCR): the distance of every synthetic record to its closest train record.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        distances : table, optional
            Neighbors by your own distance: for each synthetic record (query) its nearest train record (neighbor), with
            rank 1; both are positions from 0.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of record:

            - record: BIGINT, the synthetic record's 0-based position in scan order
            - dcr: DOUBLE, the distance to the closest train record; 0 for a copy
            - nearest: BIGINT, the position of that train record

        Notes
        -----
        DCR as the minimum distance of a synthetic record to the train table.
        """

    def neighbors(
        self,
        queries: Table,
        reference: Table,
        k: int = 1,
        exclude_self: bool = False,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The exact k nearest records of a reference table for every query record; among ties, the smallest record
        numbers.

        Parameters
        ----------
        queries : table
            The records whose neighbors are searched.
        reference : table
            The records that are searched; they also determine the scale of numbers.
        k : int, default 1
            Neighbors per record, at least 1; at least 1.
        exclude_self : bool, default False
            queries and reference are the same table: exclude each record itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of record and rank:

            - record: BIGINT, the query record's 0-based position in scan order
            - rank: INTEGER, 1 for the nearest
            - neighbor: BIGINT, the neighbor's position in the reference
            - distance: DOUBLE, in units of the metric (gower: 0 to 1)

        Notes
        -----
        Exact k-nearest-neighbor search over mixed columns; gower: Gower, Biometrics 27 (1971).
        """

    def nndr(
        self,
        synthetic: Table,
        train: Table,
        variant: Literal["second", "within_synthetic", "local", "global"] = "second",
        k: int = 5,
        distances: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Nearest neighbor distance ratio (NNDR) of every synthetic record, in one of four named variants.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        variant : {'second', 'within_synthetic', 'local', 'global'}, default 'second'
            The denominator of the ratio.
        k : int, default 5
            Number of neighbors within train that the variants local and global average over; at least 1.
        distances : table, optional
            Neighbors by your own distance, for the variant second: for each synthetic record (query) its two nearest
            train records (neighbor), with ranks 1 and 2; both are positions from 0.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of record:

            - record: BIGINT, the synthetic record's 0-based position in scan order
            - nndr: DOUBLE, numerator / denominator; 0/0 is 1, x/0 is infinite
            - numerator: DOUBLE, the distance to the nearest train record
            - denominator: DOUBLE, second: the distance to the second nearest train record; within_synthetic: to the
              nearest other synthetic record; local: the mean distance of the nearest train record to its k nearest
              others; global: the mean of that over all train records

        Notes
        -----
        Ratio of the two nearest distances: Lowe, IJCV 60 (2004); local and global denominators: outlier-style ratios
        over train.
        """

    def scaling(
        self,
        train: Table,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Statistics of each compared column of train: the scales of numbers, and the most frequent categories.

        Parameters
        ----------
        train : table
            The real rows that the synthesizer saw.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR
            - role: VARCHAR, numeric, temporal, categorical or vector
            - count: BIGINT, non-missing values
            - missing: BIGINT, NULL and NaN
            - distinct: BIGINT, distinct values, without missing ones
            - min: DOUBLE, only for numbers and times (in seconds), like the following five
            - max: DOUBLE
            - mean: DOUBLE
            - stddev: DOUBLE, of the population
            - median: DOUBLE
            - iqr: DOUBLE, interquartile range
            - most_frequent: VARCHAR, only for categories; the first in text order among ties

        Notes
        -----
        Population statistics; quantiles interpolate linearly.
        """

    def changes(
        self,
        now: Table,
        before: Table,
        apart: bool = False,
        *,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Compares two evaluations, as of last month and this one: the verdict, then each number before and now, and
        whether it became better or worse beyond chance.

        Parameters
        ----------
        now : table
            A result of evaluate.
        before : table
            An earlier result of evaluate; from a table of several runs, the rows of one run.
        apart : bool, default False
            Only the verdict and numbers that differ beyond chance.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - section: VARCHAR, as in evaluate; the verdict comes first, then what became worse, better, changed, new or
              gone, or is the same
            - metric: VARCHAR
            - variant: VARCHAR
            - statistic: VARCHAR
            - before: DOUBLE, the earlier number; NULL if it was missing
            - now: DOUBLE, the number now
            - difference: DOUBLE, now - before
            - became: VARCHAR: better or worse if the number has a direction and is apart; otherwise changed; same; new
              or gone if only one evaluation has it
            - apart: BOOLEAN, whether the two differ beyond chance; NULL if nothing says what chance does, and of fewer
              people named at a lower false_discovery, as a history gives it to later releases

        Notes
        -----
        The results of evaluate. Numbers with intervals: differences of 3.5 standard errors, which the ends of the
        intervals give (as of Zou and Donner 2008): among a hundred numbers, chance makes one in one of twenty
        comparisons.
        """

    def evaluate(
        self,
        synthetic: Table | Mapping[str, Table] | Sequence[str],
        train: Table,
        holdout: Table | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        *surplus: Never,
        targets: Sequence[str] | None = None,
        sensitive: Sequence[str] | None = None,
        known: Sequence[str] | None = None,
        secrets: Sequence[str] | None = None,
        other: Sequence[str] | None = None,
        risks: bool = False,
        k: int | None = None,
        threshold: float | Sequence[float] = 0.2,
        statistic: Literal["median", "mean"] = "median",
        normalizer: float | None = None,
        attack: Attacks = ("distance", "density", "agreement", "agreement_near", "uniques", "learned"),
        named_by: Attacks = ("uniques", "learned"),
        false_discovery: float = 0.05,
        tolerance: float = 0.02,
        identifiers: Literal["warn", "exclude", "compare"] = "warn",
        children: Mapping[str, Sequence[Table]] | None = None,
        sample: int | None = None,
        effort: Literal["quick", "full"] | None = None,
        scores: Table | None = None,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        hints: Sequence[str] | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        spend: bool | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        language: str | None = None,
        **unknown: Never,
    ) -> Evaluation:
        """The verdict on a synthetic table, and the numbers behind it: one per row, with its direction and meaning.

        Parameters
        ----------
        synthetic : table
            The synthetic table; or several by name (or a list of names): each is then measured separately, and its name
            is in the first column.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        quasi_identifiers : sequence of str, optional
            columns that together may identify a person; adds discernibility.
        targets : sequence of str, optional
            columns that an attacker who knows the quasi-identifiers wants to learn; adds disclosure.
        sensitive : sequence of str, optional
            columns whose values should stay confidential within classes of the quasi-identifiers; adds anonymity and
            reidentification.
        known : sequence of str, optional
            columns that an attacker knows of a person, or all but the secrets; used with secrets or other. With secrets
            := all it may be left out: each column is then inferred from all others, by a model.
        secrets : sequence of str, optional
            columns that the attacker wants to learn, from the nearest record and by a model trained on synthetic, or
            all; adds attribute_inference.
        other : sequence of str, optional
            columns that a second source knows; adds linkability.
        risks : bool, default False
            Add the measures that need no further columns: identifiability, hit_rate, adversarial_accuracy and
            singling_out.
        k : int, optional
            Smallest equivalence class allowed; at least 1.
        threshold : float or sequence of float, default 0.2
            Thresholds of minimum distance accumulation; above 0 and below 1.
        statistic : {'median', 'mean'}, default 'median'
            The statistic that comparison compares.
        normalizer : float, optional
            The value that distances are divided by in minimum distance accumulation, to compare several runs; above 0.
        attack : Attacks, default ('distance', 'density', 'agreement', 'agreement_near', 'uniques', 'learned')
            Membership attacks. Any of 'all', 'distance', 'ratio', 'density', 'agreement', 'agreement_near', 'uniques',
            'learned', 'own'.
        named_by : Attacks, default ('uniques', 'learned')
            Attacks whose identified members count in exposure; they share false_discovery. Any of 'distance', 'ratio',
            'density', 'agreement', 'agreement_near', 'uniques', 'learned', 'own'.
        false_discovery : float, default 0.05
            As in exposure; above 0 and below 1.
        tolerance : float, default 0.02
            What a significant finding must reach beyond chance to count as a leak: in an attack's AUC or a depth's
            share; as much for the share of people found at 1 % false positives, half as much for that of people with a
            trace; at least 0 and below 0.5.
        identifiers : {'warn', 'exclude', 'compare'}, default 'warn'
            How to treat columns that look like identifiers: compare them with a warning, exclude them, or compare them
            without checking; numbers of rows, and keys of which the tables share none, are left out except by compare.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the
            table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the
            children; the first column, part, says which.
        sample : int, optional
            Evaluate only so many records of each table, drawn at random with the seed, or so many persons with unit:
            faster for large tables. The verdict says what such a sample cannot find; at least 200.
        effort : {'quick', 'full'}, optional
            Quick leaves out what the verdict does not need, and scores at most 20,000 people of each side by learned,
            100,000 by distance and by agreement (docs/limits.md); full has everything. By default quick where it takes
            over 10 minutes.
        scores : table, optional
            scores of your own attacks: one finite score per record of train and the holdout, identified by side and
            record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one
            is own.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        hints : sequence of str, optional
            learned: columns of train and of the holdout that indicate membership, such as scores of your own attack;
            synthetic need not have them. Only learned uses them, as features. They must not be computed from the
            membership itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        spend : bool, optional
            Whether release number k takes 6 / (pi k)^2 of false_discovery, so that the people named in all releases
            together stay below it; k is one more than the releases before. Yes with a history, no otherwise.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.
        language : str, optional
            The language of sentences for people, such as 'de'; English if not given.

        Returns
        -------
        Evaluation
            Columns:

            - section: VARCHAR: exposure, releases (if given), exposure_by, remedy, membership, split, within, replay,
              dimensions, tables, scope, identifiers, holdout, copies, holdout_share, dcr, nndr, comparison, screen,
              mda, discernibility; on request: disclosure, anonymity, reidentification, attribute_inference,
              linkability, identifiability, hit_rate, adversarial_accuracy, singling_out
            - metric: VARCHAR: the name of the section, or one of its metrics
            - variant: VARCHAR: the tables, baseline or threshold; NULL if there is only one
            - statistic: VARCHAR
            - value: DOUBLE; bands are 3 for high, 2 for medium, 1 for low expected privacy
            - lower: DOUBLE, lower end of a 95 % interval, if there is one
            - upper: DOUBLE, upper end
            - better: VARCHAR: higher or lower, if that means more privacy (for resemblance: more utility)
            - meaning: VARCHAR, what the number means

        Notes
        -----
        The functions exposure, membership, split_check, within, replay, identifiers, copies, holdout_share,
        dcr_summary, nndr_summary, comparison, screen, mda and discernibility; on request, those of disclosure,
        anonymity and identifiability.
        """

    def identifiers(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which columns look like identifiers: their values differ from row to row, so that no copy equals its
        original.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR
            - role: VARCHAR, numeric, temporal or categorical
            - count: BIGINT, non-missing values in train
            - distinct: BIGINT, distinct values among them
            - shared_synthetic: DOUBLE, if nearly all of them are distinct: the share of values in synthetic that occur
              in train
            - shared_holdout: DOUBLE, the same for the holdout; NULL without one
            - identifier: BOOLEAN, whether the column looks like an identifier
            - lettered: DOUBLE, if nearly all of them are distinct categories: the share of those with more letters than
              digits, as names, addresses and notes have

        Notes
        -----
        A category whose values in train are 99 % distinct and not shared by the holdout; an integer column whose values
        repeat far less often than random draws from its range.
        """

    def split(
        self,
        data: Table,
        share: float = 0.5,
        *,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """A table with a column that assigns each record to train or holdout, by an independent coin flip.

        Parameters
        ----------
        data : table
            All real rows.
        share : float, default 0.5
            The probability that a record is in train; above 0 and below 1.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The table's own columns; then:

            - side: VARCHAR, train or holdout

        Notes
        -----
        Inclusion by independent coin flips, as audits of differential privacy require: Steinke, Nasr and Jagielski,
        NeurIPS 2023.
        """

    def split_check(
        self,
        train: Table,
        holdout: Table,
        synthetic: Table | None = None,
        children: Mapping[str, Sequence[Table]] | None = None,
        *,
        folds: int | None = None,
        most: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Is the holdout valid? Tests whether train and the holdout come from the same population: by each column, and
        by a classifier on all columns.

        Parameters
        ----------
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, drawn as train was.
        synthetic : table, optional
            The synthetic table: with it, columns are reported whose values mostly do not occur in real rows.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the
            table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the
            children; the first column, part, says which.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        most : int, optional
            Learned and its control: the maximum number of people of each side that are scored, drawn with the seed;
            features still use all others; at least 200.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR; NULL in the last row, for all columns together
            - statistic: DOUBLE, 0 to 1: the distance between the holdout and train (numbers and times:
              Kolmogorov-Smirnov; others: total variation)
            - p_value: DOUBLE, the probability of a distance at least this large if both are drawn from the same
              population
            - p_adjusted: DOUBLE, the same, adjusted for testing all columns (Holm)
            - unseen: DOUBLE, the share of the holdout whose value does not occur in train
            - expected_unseen: DOUBLE, the share of train whose value no other row of train has; with unit, no other
              person
            - auc: DOUBLE, in the last row: the area under the ROC curve of a classifier of train and holdout, the
              control of attacks; NULL if there are too few records to learn from, or if it would let rows leave the
              database
            - lower: DOUBLE, lower end of its 95 % interval
            - upper: DOUBLE, upper end
            - differs: BOOLEAN, whether train and the holdout do not come from the same population (all columns: the
              lower end, in an interval wider by sqrt(2) since folds depend on each other, is above 0.51), or the
              column's values in synthetic are not those of real rows
            - reason: VARCHAR, the reason; NULL if nothing was found

        Notes
        -----
        Numbers and times: Kolmogorov and Smirnov; other columns: total variation, chi-squared; unseen values: Good,
        Biometrika 40 (1953); all columns together: the classifier of the attack learned, on the columns and distances
        between real rows, without synthetic ones.
        """

    def detection(
        self,
        synthetic: Table,
        train: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        trees: int = 100,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Can a random forest distinguish synthetic records from train? The area under its ROC curve, out of bag.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - auc: DOUBLE, the probability that a synthetic record looks more synthetic than a real one: 0.5 if the
              forest cannot distinguish them, 1 if it always can; below 0.5 if synthetic repeats train, as each record
              then has its duplicate on the other side
            - lower: DOUBLE, lower end of the 95 % interval
            - upper: DOUBLE, upper end

        Notes
        -----
        Random forests: Breiman, Machine Learning 45 (2001); interval: DeLong et al., Biometrics 44 (1988).
        """

    def detection_columns(
        self,
        synthetic: Table,
        train: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        trees: int = 100,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which columns reveal that records are synthetic? The loss of the forest of detection when a column is
        shuffled.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR
            - importance: DOUBLE, the decrease of the area under the ROC curve: large if the column reveals synthetic
              records, about 0 if it does not or another column has the same information; NULL for columns that the
              forest does not use

        Notes
        -----
        Permutation importance, out of bag: Breiman, Machine Learning 45 (2001).
        """

    def fidelity(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        bins: int = 10,
        children: Mapping[str, Sequence[Table]] | None = None,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How well synthetic preserves the distributions of train: for each column and each pair of columns, compared
        with fresh real rows.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        bins : int, default 10
            Number of quantile bins of train for numbers that are paired with categories; at least 1 and at most 500.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the
            table visits. In turn: the parents, aggregates of their children (flatten), both, and each child joined with
            its parent; the first column, part, says which.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - level: VARCHAR: column or pair
            - columns: VARCHAR[], one name or two
            - measure: VARCHAR: ks_complement and wasserstein (numbers and times), tv_complement (categories),
              correlation_similarity (two numbers), mixed_similarity (a number in bins and a category),
              contingency_similarity (two categories; those beyond the 262,141 most frequent ones count as one)
            - value: DOUBLE, from 0 to 1 (identical); wasserstein: a distance in units of the range of train, 0 if
              identical; NULL if undefined, such as a correlation with a constant, or a distance over a range that
              exceeds DOUBLE
            - holdout: DOUBLE, the same for the holdout; NULL without one

        Notes
        -----
        Complements of the Kolmogorov-Smirnov and total variation distances, correlation and contingency similarity:
        SDMetrics; Wasserstein-1: Vallender, Theory of Probability 18 (1974).
        """

    def fidelity_summary(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        bins: int = 10,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Fidelity by measure, and overall as the mean of columns and pairs, compared with fresh real rows.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        bins : int, default 10
            As in fidelity; at least 1 and at most 500.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - level: VARCHAR: overall, column or pair
            - measure: VARCHAR: as in fidelity; NULL for the mean of all similarities of a level, and for the mean of
              the levels (overall)
            - n: BIGINT, columns or pairs for which it is defined
            - mean: DOUBLE, the mean over these; if measure is NULL, without wasserstein, which is a distance
            - worst: DOUBLE, the smallest similarity, or the largest distance; NULL overall
            - worst_columns: VARCHAR[], the column or pair with this value, the first among ties; empty overall, and if
              none is defined
            - holdout: DOUBLE, the mean for the holdout; NULL without one

        Notes
        -----
        As fidelity; overall the mean of the two levels, as in the quality report of SDMetrics.
        """

    def marginals(
        self,
        synthetic: Table,
        train: Table,
        k: int = 1,
        bins: int = 10,
        categories: int = 10,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The total variation distance between the marginals of synthetic and train, over all sets of one, two or three
        columns.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        k : int, default 1
            Number of columns per marginal; at least 1 and at most 3.
        bins : int, default 10
            Number of quantile bins of train for numbers and times; values outside the range of train have a separate
            bin, and so do missing values; at least 1 and at most 500.
        categories : int, default 10
            Number of separate categories per column, the most frequent ones of train (ties: the first in text order);
            all others count as one category, and missing values as one; at least 1 and at most 500.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - columns: VARCHAR[], k column names
            - distance: DOUBLE, from 0 (the same shares in every cell) to 1 (no cell in common); NULL if a table has no
              rows

        Notes
        -----
        Platzer and Reutterer, Frontiers in Big Data 4 (2021); triples by sets of four: Hanani, Canadian Journal of
        Mathematics 12 (1960).
        """

    def propensity(
        self,
        synthetic: Table,
        train: Table,
        bins: int = 5,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Can synthetic and real records be distinguished? The mean squared error of propensities in a contingency
        table, with its expected value.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        bins : int, default 5
            Number of quantile bins of train for numbers and times; values outside the range of train have a separate
            bin, and so do missing values; at least 1 and at most 500.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - pmse: DOUBLE, the mean over all records of the squared difference between the share of synthetic records
              in the cell and overall; NULL if a table has no rows
            - expected: DOUBLE, the expected pmse of a table drawn from the same distribution as train, given the number
              of cells: (cells - 1) c (1 - c)^2 / N, with c the share of synthetic
            - ratio: DOUBLE, pmse / expected; NULL if there is only one cell
            - cells: BIGINT, non-empty combinations of bins and categories

        Notes
        -----
        pMSE: Woo et al., Journal of Privacy and Confidentiality 1 (2009); its expectation: Snoke et al., JRSS A 181
        (2018); in tables: Raab, Nowok and Dibben, arXiv 2109.12717.
        """

    def propensity_cells(
        self,
        synthetic: Table,
        train: Table,
        bins: int = 5,
        worst: int = 10,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The cells that distinguish synthetic from train most: combinations of bins and categories that are too
        frequent or too rare in it.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        bins : int, default 5
            As in propensity; at least 1 and at most 500.
        worst : int, default 10
            Number of cells; at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - cell: BIGINT, from 1, by descending contribution to pMSE; one row for each of its columns
            - column_name: VARCHAR
            - holds: VARCHAR: category, bin, missing, outside (a number out of the range of train), other (a category
              without a code)
            - category: VARCHAR, the category, if it holds one
            - above: DOUBLE, the lower end of a bin, which only the first bin includes; seconds for times
            - up_to: DOUBLE, the upper end of a bin
            - synthetic: BIGINT, synthetic records in the cell
            - train: BIGINT, train records in it
            - propensity: DOUBLE, the share of synthetic records in it
            - share: DOUBLE, the contribution of the cell to pMSE, as a share; NULL if pMSE is 0

        Notes
        -----
        The terms of pMSE, see propensity.
        """

    def utility(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        target: str,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        trees: int = 100,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How useful is synthetic? A random forest trained on it predicts a column of the holdout, compared with one
        trained on train.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, whose target is predicted.
        target : str
            The column that is predicted from all others.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        trees : int, default 100
            Number of trees in the forest of each column; at least 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - trained_on: VARCHAR: train, synthetic, or nothing (always predicting the most frequent category, or the
              mean, of train)
            - measure: VARCHAR: accuracy (categories) or r2 (numbers and times), the share of explained variance
            - n: BIGINT, holdout records whose target is not missing
            - score: DOUBLE, 1 for no errors; r2 has no lower bound, and is NULL if the holdout has only one value
            - lower: DOUBLE, lower end of a 95 % interval (Wilson; for r2 normal)
            - upper: DOUBLE, upper end

        Notes
        -----
        Train on synthetic, test on real: Esteban, Hyland and Rätsch, arXiv 1706.02633. Interval of accuracy: Wilson,
        JASA 22 (1927).
        """

    def adversarial_accuracy(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How well an adversary who knows all distances distinguishes synthetic records from real ones, and the
        resulting privacy loss of train.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - accuracy: DOUBLE, for train and synthetic: 0.5 if they cannot be distinguished, 1 if they always can, 0 if
              synthetic copies train
            - holdout_accuracy: DOUBLE, for holdout and synthetic; NULL without a holdout, like all columns below
            - privacy_loss: DOUBLE, holdout_accuracy - accuracy: above 0 if synthetic resembles train more than fresh
              people
            - lower: DOUBLE, lower end of a 95 % interval of privacy_loss
            - upper: DOUBLE, upper end

        Notes
        -----
        Nearest neighbor adversarial accuracy and privacy loss: Yale et al., Neurocomputing 416 (2020); interval of the
        loss: combined from Wilson intervals.
        """

    def hit_rate(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        tolerance: float = 0.03333333333333333,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The share of real records that some synthetic record matches: equal categories, and every number within a
        tolerance; compared with people who were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: the control.
        tolerance : float, default 0.03333333333333333
            The largest difference between two matching numbers, as a share of the range in train; 1/30 by default; at
            least 0.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - n: BIGINT, train records
            - share: DOUBLE, the share of them that a synthetic record matches; missing matches missing
            - lower: DOUBLE, lower end of the 95 % Wilson interval of share
            - upper: DOUBLE, upper end
            - control: DOUBLE, the share of holdout records that one matches; NULL without a holdout
            - excess: DOUBLE, share - control

        Notes
        -----
        Hitting rate as in common evaluation tools; here for all records and with a control; interval: Wilson, JASA 22
        (1927).
        """

    def identifiability(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The share of real records that are closer to a synthetic record than to any other real one, compared with
        people who were not in the training data.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: the control.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - n: BIGINT, train records
            - share: DOUBLE, the share of them with a synthetic record nearer than the nearest other train record
            - lower: DOUBLE, lower end of the 95 % Wilson interval of share
            - upper: DOUBLE, upper end
            - control: DOUBLE, the share of holdout records with a synthetic record nearer than the nearest other
              holdout record; NULL without one
            - excess: DOUBLE, share - control

        Notes
        -----
        Identifiability: Yoon, Drumright and van der Schaar, IEEE JBHI 24 (2020), with equal weights; interval: Wilson,
        JASA 22 (1927).
        """

    def mda(
        self,
        a: Table,
        b: Table,
        threshold: float | Sequence[float] = 0.2,
        method: Literal["exact", "grid"] = "exact",
        direction: Literal["both", "a", "b"] = "both",
        normalizer: float | None = None,
        points: int = 101,
        strict: bool = True,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Minimum distance accumulation: privacy and resemblance of two tables, as two areas under one curve.

        Parameters
        ----------
        a : table
            The synthetic table.
        b : table
            The real table.
        threshold : float or sequence of float, default 0.2
            The relative distance in (0, 1) that separates privacy from resemblance; a list gives one row per value;
            above 0 and below 1.
        method : {'exact', 'grid'}, default 'exact'
            Exact areas, or a grid of points with Simpson's rule, as published.
        direction : {'both', 'a', 'b'}, default 'both'
            As in mda_distances.
        normalizer : float, optional
            The value that distances are divided by, to compare several runs; by default the largest distance; above 0.
        points : int, default 101
            Number of grid points; at least 2.
        strict : bool, default True
            For the grid: count distances less than theta, as published (at theta = 0, those equal to 0); false: at most
            theta. Exact areas do not depend on it.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of threshold:

            - threshold: DOUBLE
            - privacy_area: DOUBLE, the mean of the curve below the threshold; 0 is perfect privacy, 1 a copy
            - privacy: DOUBLE, 1 - privacy_area
            - resemblance: DOUBLE, the mean of the curve above the threshold; 1 is perfect resemblance
            - tradeoff_area: DOUBLE, the area under resemblance as a function of privacy over all thresholds (exact in
              both methods)
            - normalizer: DOUBLE, what distances were divided by

        Notes
        -----
        Minimum distance accumulation as published in 2018; exact areas of the step curve instead of a grid.
        """

    def mda_curve(
        self,
        a: Table,
        b: Table,
        direction: Literal["both", "a", "b"] = "both",
        normalizer: float | Literal["none"] | None = None,
        points: int | None = None,
        strict: bool | None = None,
        counts: bool = False,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The curve of minimum distance accumulation: the share of records within each distance of the other table.

        Parameters
        ----------
        a : table
            The synthetic table.
        b : table
            The real table.
        direction : {'both', 'a', 'b'}, default 'both'
            As in mda_distances.
        normalizer : float or {'none'}, optional
            The value that distances are divided by, to compare several runs; by default the largest distance; none:
            theta is a distance; above 0.
        points : int, optional
            Number of evenly spaced values of theta; by default, every step of the curve; at least 2.
        strict : bool, optional
            true: count distances less than theta (at theta = 0, those equal to 0); false: at most theta. Default: false
            for steps, true with points, as published.
        counts : bool, default False
            Return numbers of records instead of shares.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of theta:

            - theta: DOUBLE, distance / normalizer, from 0 to 1; the distance itself with the normalizer none
            - accumulation: DOUBLE, the share of records (or with counts, their number) with a relative distance of at
              most theta; with points, less than theta, as mda_grid expects

        Notes
        -----
        Minimum distance accumulation.
        """

    def mda_distances(
        self,
        a: Table,
        b: Table,
        direction: Literal["both", "a", "b"] = "both",
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Nearest neighbor distances between two tables: from each record of a to b, and from each record of b to a.

        Parameters
        ----------
        a : table
            The synthetic table.
        b : table
            The real table, which determines the scale of numbers.
        direction : {'both', 'a', 'b'}, default 'both'
            a: from a to b only; b: from b to a only.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of side and record:

            - side: VARCHAR, a or b: the table of the record
            - record: BIGINT, the record's 0-based position in scan order
            - distance: DOUBLE, to the nearest record of the other table

        Notes
        -----
        The distances of minimum distance accumulation, on the scale of b.
        """

    def mda_grid(
        self,
        curve: Table,
        threshold: float | Sequence[float] = 0.2,
        *,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Privacy and resemblance of an accumulation curve on an even grid, by composite Simpson's rule.

        Parameters
        ----------
        curve : table
            A table with columns theta and accumulation: an even grid from 0 to 1.
        threshold : float or sequence of float, default 0.2
            The relative distance in (0, 1) that separates privacy from resemblance; a list gives one row per value;
            above 0 and below 1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of threshold:

            - threshold: DOUBLE
            - privacy_area: DOUBLE, the mean of the curve below the threshold; 0 is perfect privacy
            - privacy: DOUBLE, 1 - privacy_area
            - resemblance: DOUBLE, the mean of the curve above the threshold; 1 is perfect resemblance

        Notes
        -----
        Minimum distance accumulation as published in 2018, figure 2, which names no integration rule; for an even
        number of points the mean of two rules, as even = 'avg' of scipy.integrate.simpson in SciPy before 1.11.
        """

    def audit(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        attack: Attacks = "agreement",
        scores: Table | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        bandwidth: float | Sequence[float] = (0.5, 0.3),
        folds: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """A lower bound of the epsilon of differential privacy, from one run of a synthesizer in which a fair coin
        assigned each record to train or the holdout.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The records that the coin assigned to train, and that the synthesizer saw; see split.
        holdout : table
            All records that the coin assigned to the holdout.
        attack : Attacks, default 'agreement'
            The attack that computes the score; several are not adjusted for each other. Any of 'all', 'distance',
            'ratio', 'density', 'agreement', 'agreement_near', 'uniques', 'kernel', 'learned', 'own'.
        scores : table, optional
            scores of your own attacks, as in membership; they must not be computed from the membership itself.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        bandwidth : float or sequence of float, default (0.5, 0.3)
            kernel: the width of numbers and times, in standard deviations of all real rows, and the share of the weight
            of a category that other categories have, at most 1; above 0.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - attack: VARCHAR
            - canaries: BIGINT, number of records assigned by the coin: all of train and of the holdout
            - guesses: BIGINT, number of guesses: the half with the largest scores is guessed to be in train, the half
              with the smallest not to be; there is no guess for other records
            - correct: BIGINT, number of correct guesses
            - accuracy: DOUBLE, correct / guesses
            - epsilon_lower: DOUBLE, lower bound of epsilon: with a smaller one, the probability of this many correct
              guesses is at most 5 %, for the three numbers of guesses of an attack together; 0 is no evidence

        Notes
        -----
        Steinke, Nasr and Jagielski, Privacy Auditing with One (1) Training Run, NeurIPS 2023, with delta = 0.
        """

    def concentration(
        self,
        synthetic: Table,
        train: Table,
        *,
        unit: str,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """To what extent the rows of each synthetic person come from a single real person, which measures of single
        rows cannot show.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        unit : str
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of person:

            - person: ANY, the synthetic person, in the type of the unit
            - rows: BIGINT, number of rows of the person
            - closest_person: ANY, the real person to whom most of the nearest rows belong; among ties, the one with the
              smallest record number
            - share: DOUBLE, the share of its rows whose nearest real row is that person's

        Notes
        -----
        The share of a synthetic person's rows whose nearest real row belongs to the real person that has most of them.
        """

    def exposure(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        attack: Attacks = "agreement",
        false_discovery: float = 0.05,
        k: int = 1,
        reference: Table | None = None,
        children: Mapping[str, Sequence[Table]] | None = None,
        scores: Table | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        bandwidth: float | Sequence[float] = (0.5, 0.3),
        folds: int | None = None,
        hints: Sequence[str] | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        spend: bool | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which people can be identified as members of train: a list with a controlled false discovery rate.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, drawn like train; only they show the scores of non-members: set some aside
            before synthesizing.
        attack : Attacks, default 'agreement'
            The attack; several share false_discovery. Any of 'all', 'distance', 'ratio', 'density', 'calibrated',
            'agreement', 'agreement_near', 'uniques', 'kernel', 'learned', 'own'.
        false_discovery : float, default 0.05
            The expected share of false identifications among those identified; above 0 and below 1.
        k : int, default 1
            The neighbor whose distance the attack density compares; at least 1.
        reference : table, optional
            Further real rows, in neither train nor the holdout, for the attack calibrated.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the
            table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the
            children; the first column, part, says which.
        scores : table, optional
            scores of your own attacks: one finite score per record of train and the holdout, identified by side and
            record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one
            is own.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        bandwidth : float or sequence of float, default (0.5, 0.3)
            kernel: the width of numbers and times, in standard deviations of all real rows, and the share of the weight
            of a category that other categories have, at most 1; above 0.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        hints : sequence of str, optional
            learned: columns of train and of the holdout that indicate membership, such as scores of your own attack;
            synthetic need not have them. Only learned uses them, as features. They must not be computed from the
            membership itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        spend : bool, optional
            Whether release number k takes 6 / (pi k)^2 of false_discovery, so that the people named in all releases
            together stay below it; k is one more than the releases before. Yes with a history, no otherwise.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of record:

            - person: ANY, only with unit: the person, in the type of the unit
            - record: BIGINT, the train record's 0-based position in scan order; for a person, the record with the
              largest score
            - attack: VARCHAR, the attack with the smallest q_value, if there are several; score, p_value and the
              columns below belong to it
            - score: DOUBLE, larger for a more likely member
            - p_value: DOUBLE, conformal p-value: the share of holdout records, with this record added, whose score is
              at least as high
            - q_value: DOUBLE, the smallest false_discovery at which the record would be exposed, including the factor
              for the number of attacks
            - exposed: BOOLEAN, whether q_value is at most false_discovery
            - sure: BOOLEAN, whether the record is among those listed by the attack with the largest at_least (as in
              membership, for the attacks of this call; of equal attacks the one with the shortest list, then the first
              by name): at least so many of them are in train beyond what chance explains, though not which
            - synthetic: BIGINT, the responsible synthetic record; for learned, the closest one
            - release: VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest,
              otherwise its name in releases
            - own_bits: DOUBLE, only for attacks by agreement: the score of an exact copy of the record
            - agreeing: STRUCT(column VARCHAR, bits DOUBLE)[], attacks by agreement: the columns that agree, with their
              bits; uniques: its smallest combinations of columns, each with log2 of the number of real records

        Notes
        -----
        Conformal p-values with false discovery control: Bates et al., Annals of Statistics 51 (2023); Benjamini and
        Hochberg, JRSS B 57 (1995).
        """

    def exposure_by(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        columns: Sequence[str] | None = None,
        attack: Attacks = "agreement",
        false_discovery: float = 0.05,
        k: int = 1,
        reference: Table | None = None,
        scores: Table | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        hints: Sequence[str] | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Who is at risk: how many people can be identified as members of train, by the values of their columns and by
        how isolated they are.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw.
        columns : sequence of str, optional
            The columns whose values make the groups, besides isolation; by default all that the tables share.
        attack : Attacks, default 'agreement'
            As in exposure. Any of 'all', 'distance', 'ratio', 'density', 'calibrated', 'agreement', 'agreement_near',
            'uniques', 'learned', 'own'.
        false_discovery : float, default 0.05
            The expected share of false identifications among those identified; above 0 and below 1.
        k : int, default 1
            The neighbor whose distance the attack density compares; at least 1.
        reference : table, optional
            Further real rows, in neither train nor the holdout, for the attack calibrated.
        scores : table, optional
            scores of your own attacks, as in exposure.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        hints : sequence of str, optional
            learned: columns of train and of the holdout that indicate membership, such as scores of your own attack;
            synthetic need not have them. Only learned uses them, as features. They must not be computed from the
            membership itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR, a column, or isolation: the distance to the fifth nearest real record
            - value: VARCHAR, one of its 20 most frequent values in train; for numbers, times and isolation the range of
              a fifth of the people, rounded: <= 33, 34 .. 48, >= 78
            - people: BIGINT, people of train with this value; with unit, by their first record
            - named: BIGINT, those of them who can be identified (exposed in exposure)
            - listed: BIGINT, those of them who are listed (sure in exposure)
            - rate: DOUBLE, named / people
            - rate_elsewhere: DOUBLE, the same for all other people
            - ratio: DOUBLE, rate / rate_elsewhere; infinite if nobody else can be identified, NULL if nobody at all can
            - lower: DOUBLE, lower end of the 95 % interval of ratio; NULL where it is 0 or infinite
            - upper: DOUBLE, upper end
            - p_adjusted: DOUBLE, the probability of at least so many by chance (hypergeometric), adjusted for the
              number of groups (Holm)

        Notes
        -----
        Groups of people compared with all others: hypergeometric, Holm over groups; intervals of ratios by the
        logarithm: Katz et al., Biometrics 34 (1978).
        """

    def membership(
        self,
        synthetic: Table | Mapping[str, Table] | Sequence[str],
        train: Table,
        holdout: Table,
        attack: Attacks = "all",
        false_positive_rates: float | Sequence[float] = (0.001, 0.01, 0.1),
        k: int = 1,
        reference: Table | None = None,
        children: Mapping[str, Sequence[Table]] | None = None,
        scores: Table | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        bandwidth: float | Sequence[float] = (0.5, 0.3),
        folds: int | None = None,
        hints: Sequence[str] | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Who was in train? How well attacks distinguish the records of train from those of the holdout, from synthetic
        alone.

        Parameters
        ----------
        synthetic : table
            The synthetic table; or several by name (or a list of names): each is then measured separately, and its name
            is in the first column.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, drawn like train: they show the scores without a leak.
        attack : Attacks, default 'all'
            One attack, several or all. Any of 'all', 'distance', 'ratio', 'density', 'calibrated', 'agreement',
            'agreement_near', 'uniques', 'kernel', 'learned', 'own'.
        false_positive_rates : float or sequence of float, default (0.001, 0.01, 0.1)
            Accepted shares of non-members that are taken for members; above 0 and below 1.
        k : int, default 1
            The neighbor whose distance the attack density compares; at least 1.
        reference : table, optional
            Further real rows, in neither train nor the holdout, for the attack calibrated.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, each as [synthetic, train, holdout, key]; a key visits.visit names children of the
            table visits. In turn: the parents alone, aggregates of their children (flatten), both, and the rows of the
            children; the first column, part, says which.
        scores : table, optional
            scores of your own attacks: one finite score per record of train and the holdout, identified by side and
            record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one
            is own.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        bandwidth : float or sequence of float, default (0.5, 0.3)
            kernel: the width of numbers and times, in standard deviations of all real rows, and the share of the weight
            of a category that other categories have, at most 1; above 0.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        hints : sequence of str, optional
            learned: columns of train and of the holdout that indicate membership, such as scores of your own attack;
            synthetic need not have them. Only learned uses them, as features. They must not be computed from the
            membership itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - attack: VARCHAR
            - members: BIGINT, records of train; with unit, persons
            - non_members: BIGINT, the same for the holdout
            - auc: DOUBLE, area under the ROC curve: the probability that a member has a larger score than a non-member,
              ties counting one half; 0.5 if the attack learns nothing
            - auc_lower: DOUBLE, lower end of the 95 % interval (DeLong); NULL if a side has only one record
            - auc_upper: DOUBLE, upper end
            - p_value: DOUBLE, one-sided: the probability of an auc at least this large without a leak (normal
              approximation, corrected for ties)
            - p_adjusted: DOUBLE, the same, adjusted for choosing the best of several attacks (Holm)
            - advantage: DOUBLE, the largest difference between the rates of true and false positives over all
              thresholds
            - advantage_p_value: DOUBLE, one-sided (Kolmogorov-Smirnov)
            - epsilon_lower: DOUBLE, the largest epsilon of differential privacy that this run refutes at 95 %, if a
              coin assigned each record to train or the holdout (split, audit); 0 is no evidence, NULL if there are too
              few records for a guess
            - at_least: BIGINT, at least so many people of train are at the top of the list of scores beyond what chance
              explains, at 95 % for all attacks, folds and thresholds at once; 0 if that is not certain of anybody
            - listed: BIGINT, how many people of train that part of the list has: so many must be suspected to find the
              at_least; of several folds their sum
            - top_p_value: DOUBLE, one-sided: the probability of so many people of train among the first 8, 16, ... 512
              of the list without a leak (hypergeometric), of the most striking of the seven lengths, times seven
            - traced_lower: DOUBLE, a lower bound, at 95 % and for all thresholds, of the share of train with scores
              beyond chance (Dvoretzky, Kiefer and Wolfowitz)
            - false_positive_rate: DOUBLE, the accepted share of non-members that are taken for members
            - true_positive_rate: DOUBLE, the largest share of members found at this false positive rate; NULL if the
              rate allows not even one non-member
            - lower: DOUBLE, lower end of the 95 % Wilson interval of true_positive_rate
            - upper: DOUBLE, upper end

        Notes
        -----
        Shokri et al., IEEE S&P 2017; rates at low false positive rates: Carlini et al., IEEE S&P 2022; the top of the
        list: Ville, Etude critique de la notion de collectif (1939); epsilon: Steinke, Nasr and Jagielski, NeurIPS
        2023; several attacks: Holm, Scandinavian Journal of Statistics 6 (1979).
        """

    def membership_scores(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        attack: OneAttack = "agreement",
        k: int = 1,
        reference: Table | None = None,
        scores: Table | None = None,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        bandwidth: float | Sequence[float] = (0.5, 0.3),
        folds: int | None = None,
        hints: Sequence[str] | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How likely each real record is a member of train, under one attack, with the responsible synthetic record.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: they show the scores without a leak.
        attack : OneAttack, default 'agreement'
            The attack that computes the score. Any of 'distance', 'ratio', 'density', 'calibrated', 'agreement',
            'agreement_near', 'uniques', 'kernel', 'learned', 'own'.
        k : int, default 1
            The neighbor whose distance the attack density compares; at least 1.
        reference : table, optional
            Further real rows, in neither train nor the holdout, for the attack calibrated.
        scores : table, optional
            scores of your own attacks: one finite score per record of train and the holdout, identified by side and
            record, by record alone (train, then the holdout), or by the key; attack names several attacks, a single one
            is own.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        bandwidth : float or sequence of float, default (0.5, 0.3)
            kernel: the width of numbers and times, in standard deviations of all real rows, and the share of the weight
            of a category that other categories have, at most 1; above 0.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        hints : sequence of str, optional
            learned: columns of train and of the holdout that indicate membership, such as scores of your own attack;
            synthetic need not have them. Only learned uses them, as features. They must not be computed from the
            membership itself.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - side: VARCHAR, train or holdout: the table of the record
            - person: ANY, only with unit: the person, in the type of the unit
            - record: BIGINT, the record's 0-based position in scan order; for a person, the record with the largest
              score
            - score: DOUBLE, larger for a more likely member; its unit depends on the attack. Always finite: infinite
              scores of density (one of its two distances is 0) are replaced by the largest finite score + 1, or the
              smallest - 1
            - synthetic: BIGINT, the synthetic record responsible for the score; for learned, the closest one
            - release: VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest,
              otherwise its name in releases
            - evidence: VARCHAR[], only for learned, otherwise empty: up to three features that raise the score most,
              measured by its decrease when the feature is set to its median

        Notes
        -----
        Record linkage: Fellegi and Sunter, JASA 64 (1969); nearest neighbors as an attack: Chen et al., CCS 2020
        (distance, calibrated); Hilprecht et al., PoPETs 2019; densities: van Breugel et al., AISTATS 2023.
        """

    def person_copies(
        self,
        synthetic: Table,
        train: Table,
        *,
        unit: str,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The number of real persons that each synthetic person is a complete copy of: the same rows with the same
        multiplicities, on the raw values.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        unit : str
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of person:

            - person: ANY, the synthetic person, in the type of the unit
            - copies: BIGINT, real persons with the same rows; 0 if there are none

        Notes
        -----
        Equality of multisets of rows, with NULL and NaN equal to each other.
        """

    def selftest(
        self,
        train: Table,
        holdout: Table,
        attack: Literal[
            "distance", "ratio", "density", "agreement", "agreement_near", "uniques", "learned"
        ] = "agreement",
        planted: float = 0.05,
        false_discovery: float = 0.05,
        k: int = 1,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Does the attack detect leaks, and only leaks? Runs exposure on a table with planted copies of train, and on
        one without.

        Parameters
        ----------
        train : table
            The real rows that the synthesizer saw, of which copies are planted.
        holdout : table
            Real rows that it never saw: one half serves as a synthetic table without a leak, the other as non-members.
        attack : {'distance', 'ratio', 'density', 'agreement', 'agreement_near', 'uniques', 'learned'}, default 'agreement'
            As in exposure.
        planted : float, default 0.05
            The share of train that is planted; above 0 and below 1.
        false_discovery : float, default 0.05
            As in exposure; above 0 and below 1.
        k : int, default 1
            As in exposure; at least 1.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - test: VARCHAR: planted (copies of train); swapped (train and holdout exchanged); fresh (nothing planted)
            - members: BIGINT, number of members tested: records or, with unit, persons
            - planted: BIGINT, members whose copies are planted
            - exposed: BIGINT, members identified by the attack
            - found: BIGINT, members both identified and planted
            - found_share: DOUBLE, found / planted: the share of the leak that is detected
            - false_share: DOUBLE, the share of identified members who are not planted; on average over seeds at most
              false_discovery
            - at_least: BIGINT, members who at least are at the top of the list beyond what chance explains, as in
              membership
            - passed: BOOLEAN: for planted, whether more than half of the copies are found; for swapped and fresh,
              whether at most a share false_discovery of the members is identified

        Notes
        -----
        Self-test: a measure that misses planted copies, or finds copies that were not planted, proves nothing about
        other tables.
        """

    def peers_mostlyai_accuracy(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The accuracy of MOSTLY AI's quality assurance: the similarity of binned marginals of one, two and three
        columns, and the accuracy expected of two samples of these sizes.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - level: VARCHAR: overall, univariate, bivariate, trivariate
            - columns: VARCHAR[], one to three names; empty for the mean of a level and overall
            - accuracy: DOUBLE, from 0 to 1, for columns rounded to 5 digits as by the tool; NULL if a table has no rows
            - accuracy_max: DOUBLE, the expected accuracy if synthetic was drawn from the real rows' shares

        Notes
        -----
        mostlyai-qa 1.10; Platzer and Reutterer, Frontiers in Big Data 4 (2021). Problems: the reference is train and
        holdout together, so the result does not show whether synthetic is closer to train; the maximum is computed from
        the observed shares of the real rows, as if these were the true ones; values beyond the range of the real rows
        count as its minimum or maximum, and rounding the edge of a bin moves values into another bin; of more than
        10,000 triples the tool samples some (here never), and of columns that look like text it compares words sampled
        with a language model's tokenizer (here they are categories, as any other). Use fidelity and marginals. Its
        distances and its similarity require a language model and are not implemented here.
        """

    def peers_sdmetrics_baseline(
        self,
        synthetic: Table,
        train: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """DCRBaselineProtection of SDMetrics: the median distance of synthetic records to train, as a share of that of
        records drawn at random, at most 1.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - score: DOUBLE, from 0 to 1; NULL where the median of random records is 0
            - synthetic_median: DOUBLE, the median distance of a synthetic record to its closest in train
            - random_median: DOUBLE, that of as many random records, with the share of missing values of each column in
              train

        Notes
        -----
        SDMetrics 0.32, single_table.privacy. Problems: values drawn uniformly and independently from the range of each
        column are far from all real records, so almost every table scores 1; the tool uses no seed, so its results
        differ between runs. Use comparison, whose baseline is real rows.
        """

    def peers_sdmetrics_disclosure(
        self,
        synthetic: Table,
        train: Table,
        known: Sequence[str],
        sensitive: Sequence[str],
        bins: int = 0,
        method: Literal["cap", "zero_cap"] = "cap",
        *,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """DisclosureProtection of SDMetrics, with the CAP it is based on: how rarely an attacker who knows some columns
        infers others from synthetic.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        known : sequence of str
            The columns that an attacker knows.
        sensitive : sequence of str
            The columns that the attacker wants to learn, all at once.
        bins : int, default 0
            The number of bins of equal width over the range in train that numeric columns are binned into, 10 in the
            tool for columns declared continuous; 0: no binning; at least 0 and at most 500.
        method : {'cap', 'zero_cap'}, default 'cap'
            Cap leaves out people whose known values synthetic lacks, zero_cap counts them as protected.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - score: DOUBLE, cap_protection / baseline_protection, at most 1; NULL if the baseline is 0 or nobody is
              matched
            - cap_protection: DOUBLE, 1 - the mean share of synthetic records with a person's known values that have the
              sensitive ones too
            - baseline_protection: DOUBLE, 1 - 1 / the number of combinations of sensitive values

        Notes
        -----
        SDMetrics 0.32, single_table.privacy; CAP: Elliot 2014. Problems: the baseline guesses all values with the same
        probability, so a column with one frequent value looks disclosed by a table that contains no information about
        individuals; people who were never in the data may be disclosed as often, which is not measured. Use disclosure,
        which has pooled. GeneralizedCAP of one column is 1 - tie_fair_rate of attribute_inference with metric :=
        'hamming'.
        """

    def peers_sdmetrics_new_rows(
        self,
        synthetic: Table,
        train: Table,
        tolerance: float = 0.01,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """NewRowSynthesis of SDMetrics: the share of synthetic records that match no record of train.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        tolerance : float, default 0.01
            The largest difference between a number in train and a matching synthetic one, as a share of the latter's
            magnitude; at least 0.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - score: DOUBLE, new_rows / all synthetic records; NULL if synthetic has no rows
            - new_rows: BIGINT, synthetic records without a match; missing matches missing
            - matched_rows: BIGINT, synthetic records with a match

        Notes
        -----
        SDMetrics 0.32, single_table. Problems: the tolerance of a number is a share of the synthetic value itself, so 0
        matches only 0, and a date matches dates that are months away; with few columns, new real rows match too, but
        the tool does not measure how often. It runs a query for each row. Use copies, and holdout_share or exposure for
        near copies.
        """

    def peers_sdmetrics_overfitting(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """DCROverfittingProtection of SDMetrics: twice the share of synthetic records that are not closer to train than
        to the holdout, at most 1.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that were not used for training, which the tool calls validation data.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - score: DOUBLE, from 0 to 1; NULL where synthetic has no rows
            - closer_to_training: DOUBLE, the share of synthetic records that are closer to train
            - closer_to_holdout: DOUBLE, all others

        Notes
        -----
        SDMetrics 0.32, single_table.privacy. Problems: distances to train and to the holdout are each scaled by the
        range of that table, so they have different units; a tie counts as closer to the holdout; different sizes of the
        tables are not corrected for; there is no confidence interval. Use holdout_share.
        """

    def peers_sdmetrics_quality(
        self,
        synthetic: Table,
        train: Table,
        correlation_threshold: float = 0.5,
        association_threshold: float = 0.3,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The QualityReport of SDMetrics: the similarity to train of each column and each pair of columns, and the
        overall score.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        correlation_threshold : float, default 0.5
            Pairs of numbers count only if their correlation in train is above this; 0 in older versions of the tool; at
            least 0 and at most 1.
        association_threshold : float, default 0.3
            Other pairs count only if Cramer's V in train is above this; 0 in older versions; at least 0 and at most 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - property: VARCHAR: overall, column_shapes, column_pair_trends
            - columns: VARCHAR[], the column or the pair; empty for the score of a property and for overall
            - measure: VARCHAR, the tool's name of the measure; NULL for a score
            - score: DOUBLE, from 0 to 1; NULL if it is undefined (a constant column, a column without values), or the
              pair is below its threshold

        Notes
        -----
        SDMetrics 0.32: KSComplement, TVComplement, CorrelationSimilarity, ContingencySimilarity. Problems: missing
        values of a column are ignored; for a mixed pair, the numbers of each table are binned by its own range, so that
        the same bin has different values in both tables, and the maximum shares a bin with missing values; pairs with a
        weak association in train are ignored, even if synthetic has a strong one; there is no reference value for new
        real rows; large tables are sampled without a seed (here never). Use fidelity and fidelity_summary.
        """

    def peers_syntheval(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        tolerance: float = 0.03333333333333333,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The privacy metrics of SynthEval based on neighbors: mDCR, NNDR, hit rate and NNAA, with the privacy losses
        that it reports for a holdout.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        tolerance : float, default 0.03333333333333333
            For hit_rate: the largest difference between two matching numbers, as a share of the range in train; at
            least 0.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - mdcr: DOUBLE, the median distance of synthetic to train / that within train; 1 if both are 0, 0 if only
              the latter is
            - nndr: DOUBLE, the mean ratio of the distances of a train record to its nearest and second nearest
              synthetic record
            - nndr_privacy_loss: DOUBLE, nndr of holdout records minus nndr; NULL without a holdout
            - hit_rate: DOUBLE, the share of train records that a synthetic record matches
            - nnaa: DOUBLE, nearest neighbor adversarial accuracy; if a table has at least twice the rows of the other,
              the tool samples it, which is not done here
            - nnaa_privacy_loss: DOUBLE, nnaa of the holdout minus nnaa; NULL without a holdout

        Notes
        -----
        SynthEval 1.7, its distance gower. Problems: values are scaled by the range of all tables together, which
        synthetic influences; a ratio of 0 to 0 is 0, and if the median within train is 0, mDCR hides exact copies; a
        record's own position is excluded whenever both tables are equal, so that a synthetic table equal to train looks
        private (mDCR 1; here 0); missing values are an error. Its eps_risk is peers_syntheval_risk. Use comparison,
        nndr_summary, hit_rate, identifiability and adversarial_accuracy.
        """

    def peers_syntheval_risk(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The epsilon identifiability risk of SynthEval (eps_risk): the share of train records that are nearer to
        synthetic than to each other, in weighted columns.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - eps_risk: DOUBLE, from 0 to 1; NULL if train has fewer than two records
            - privacy_loss: DOUBLE, eps_risk minus (the number of such holdout records / rows of train); NULL without a
              holdout

        Notes
        -----
        SynthEval 1.7, its distance gower; Yoon et al., IEEE Journal of Biomedical and Health Informatics 24 (2020).
        Problems: the weight of a column is 1 / (entropy + 1e-16), where numbers are scaled to their range and rounded
        to 0 or 1, so that a single column with hardly any value above the middle of its range can determine the result,
        with a weight of up to 1e16; the weights of categories are then scaled to a mean of 1, those of numbers are not;
        the number of holdout records is divided by the rows of train, so that the privacy loss is too high for a small
        holdout and too low for a large one; a synthetic table equal to train has risk 0 (here 1). Use identifiability.
        """

    def peers_synthpop_disclosure(
        self,
        synthetic: Table,
        train: Table,
        quasi_identifiers: Sequence[str],
        *surplus: Never,
        targets: Sequence[str] | None = None,
        bins: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The results of disclosure() of synthpop, in percent: repU, DiSCO and related measures for each target.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        quasi_identifiers : sequence of str
            The keys: the columns that an attacker knows of a person.
        targets : sequence of str, optional
            The columns that the attacker wants to learn; by default all others.
        bins : int, default 0
            The number of groups, with equally many train records each, that numeric targets are binned into; 0: no
            binning; at least 0.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - target: VARCHAR
            - UiO: DOUBLE, per cent of train records that are unique by the keys; like repU and iS, the same for all
              targets
            - repU: DOUBLE, per cent of train records that are unique in train and in synthetic
            - iS: DOUBLE, per cent of train records whose keys synthetic has
            - Dorig: DOUBLE, per cent of train records whose target follows from their keys in train
            - Dsyn: DOUBLE, the same for synthetic records in synthetic
            - DiS: DOUBLE, per cent of train records whose keys have one target value in synthetic
            - DiSCO: DOUBLE, per cent of train records for which that value is correct
            - DiSDiO: DOUBLE, per cent of train records for which it also follows in train
            - baseCAPd: DOUBLE, per cent of correct guesses by the shares of train
            - CAPd: DOUBLE, correct attribution probability in train, per cent
            - CAPs: DOUBLE, in synthetic
            - DCAP: DOUBLE, of train from synthetic, 0 if synthetic lacks the keys
            - TCAP: DOUBLE, DiSCO over iS, per cent

        Notes
        -----
        synthpop 1.9-2 (R), Raab, Nowok and Dibben, arXiv 2406.16826. Problems: most of what it calls disclosure also
        affects people who were not in the training data, which it cannot measure without a holdout; its TCAP divides by
        all keys that synthetic has, not by those with one target value; its options that leave out cells also change
        the measures of identity disclosure. Use disclosure, which has the same measures for a holdout.
        """

    def peers_synthpop_utility(
        self,
        synthetic: Table,
        train: Table,
        bins: int = 5,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The results of utility.tab() of synthpop: pMSE and related statistics, from one contingency table of the
        chosen columns.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        bins : int, default 5
            Number of groups for numbers and times, by quantiles of both tables together; a group includes its lower
            end; at least 1 and at most 500.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - VW: DOUBLE, the Voas-Williamson statistic
            - pMSE: DOUBLE, the mean squared error of propensities
            - df: BIGINT, non-empty cells - 1
            - S_pMSE: DOUBLE, VW / df; NULL if there is only one cell
            - FT: DOUBLE, the Freeman-Tukey statistic
            - JSD: DOUBLE, the Jensen-Shannon divergence to base 2
            - SPECKS: DOUBLE, the Kolmogorov-Smirnov statistic of the propensities: half the sum of the differences of
              shares
            - dBhatt: DOUBLE, the Bhattacharyya distance

        Notes
        -----
        synthpop 1.9 (R), Raab, Nowok and Dibben, arXiv 2109.12717. Problems: S_pMSE is near 1 for a table drawn from
        the model that was fitted to these real rows, but near 2 for new real rows, so real rows look worse than they
        are; with many columns, almost all cells are empty. Use propensity, and marginals for pairs and triples.
        """

    def remedied(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        keep: Sequence[str] | None = None,
        ladder: Mapping[str, Sequence[str] | Table] | None = None,
        remove: float = 0.01,
        steps: int = 40,
        target: Literal["good", "watch", "nobody"] = "watch",
        children: Mapping[str, Sequence[Table]] | None = None,
        part: str | None = None,
        other: str = "other",
        loss: float = 0.2,
        tolerance: float = 0.02,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The synthetic table after the remedy: its columns coarsened, and records taken out, as remedy finds.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, drawn as train was.
        keep : sequence of str, optional
            columns that must not change.
        ladder : mapping of str to list of str, or table, optional
            steps of your own, by column: a list of SQL expressions of the column, each coarser than the one before; or
            a table with the values in its first column and their generalizations, level by level, in the others.
        remove : float, default 0.01
            The largest share of records that may be taken out: those that name people, and copies; with releases none
            are (safe finds those); at least 0 and below 1.
        steps : int, default 40
            The largest number of steps; at least 1 and at most 1000.
        target : {'good', 'watch', 'nobody'}, default 'watch'
            The level that the verdict is to reach: good, or watch (not bad); nobody: enough that nobody is named and
            fewer than five people are given away at the top of a list.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, as in evaluate; their columns change too, as TABLE.COLUMN, and a parent who is taken
            out takes its children along.
        part : str, optional
            The table of children to return, by its name; without it, the parents.
        other : str, default 'other'
            What rare categories become.
        loss : float, default 0.2
            The largest rise of the mean total variation distance of pairs of columns to train that the search may
            cause; at most 1 and above 0.
        tolerance : float, default 0.02
            As in evaluate; at least 0 and below 0.5.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The table's own columns.

        Notes
        -----
        As remedy.
        """

    def remedy(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table,
        keep: Sequence[str] | None = None,
        ladder: Mapping[str, Sequence[str] | Table] | None = None,
        remove: float = 0.01,
        steps: int = 40,
        target: Literal["good", "watch", "nobody"] = "watch",
        children: Mapping[str, Sequence[Table]] | None = None,
        other: str = "other",
        loss: float = 0.2,
        tolerance: float = 0.02,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        language: str | None = None,
        **unknown: Never,
    ) -> Remedy:
        """The least change of a synthetic table after which it may be released: columns coarsened, records taken out,
        and a confirmation.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table
            Real rows that it never saw, drawn as train was.
        keep : sequence of str, optional
            columns that must not change.
        ladder : mapping of str to list of str, or table, optional
            steps of your own, by column: a list of SQL expressions of the column, each coarser than the one before; or
            a table with the values in its first column and their generalizations, level by level, in the others.
        remove : float, default 0.01
            The largest share of records that may be taken out: those that name people, and copies; with releases none
            are (safe finds those); at least 0 and below 1.
        steps : int, default 40
            The largest number of steps; at least 1 and at most 1000.
        target : {'good', 'watch', 'nobody'}, default 'watch'
            The level that the verdict is to reach: good, or watch (not bad); nobody: enough that nobody is named and
            fewer than five people are given away at the top of a list.
        children : mapping of str to four: tables, and a str, optional
            Child tables by name, as in evaluate; their columns change too, as TABLE.COLUMN, and a parent who is taken
            out takes its children along.
        other : str, default 'other'
            What rare categories become.
        loss : float, default 0.2
            The largest rise of the mean total variation distance of pairs of columns to train that the search may
            cause; at most 1 and above 0.
        tolerance : float, default 0.02
            As in evaluate; at least 0 and below 0.5.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.
        language : str, optional
            The language of sentences for people, such as 'de'; English if not given.

        Returns
        -------
        Remedy
            Columns, in the order of step:

            - step: BIGINT, from 0, the start; the last row is the confirmation, by the people whom the search did not
              see; the row before it has all people together
            - column_name: VARCHAR, the column that changes; NULL for the start, for records taken out, and for the
              confirmation
            - action: VARCHAR: start; a step of the column's ladder, such as 2 digits, 20 groups, month, fewer than 5,
              level 1, left out, or unchanged; removed, of records; everyone, all people together; confirmation. Later
              rows of a column replace earlier ones: unnecessary steps go back
            - expression: VARCHAR, the SQL expression of the column after the step, for synthetic, train and the holdout
              alike; NULL if it is left out
            - named: BIGINT, people of train whom the attacks uniques and learned name, with releases only those whom
              the releases before do not name; until all attacks are asked, uniques alone
            - at_least: BIGINT, at least so many people of train are given away at the top of the list of an attack, by
              synthetic alone; until all attacks are asked, of uniques, agreement and density; of uniques alone while
              these name many
            - auc: DOUBLE, the largest AUC of these attacks
            - loss: DOUBLE, by how much the mean total variation distance of pairs of columns (marginals with k = 2) has
              risen; pairs of a column that is left out count as 1
            - records: BIGINT, records of synthetic that are left
            - level: VARCHAR, the level of the verdict of evaluate; NULL where it is not asked, as it is bad by the
              other numbers or whatever is done

        Notes
        -----
        Generalization and suppression: Samarati and Sweeney (1998); greedy steps with a loss: Sweeney, International
        Journal of Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002); pairs of columns: marginals.
        """

    def copies(
        self,
        synthetic: Table,
        train: Table,
        near: bool = False,
        *,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The number of train records that equal each synthetic record in all compared columns, on the raw values.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        near : bool, default False
            Texts need only be nearly equal: without case and runs of blanks, and up to some edits (see
            docs/tasks/text.md); where the kernel is: DuckDB, beside it, and Spark.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns, in the order of record:

            - record: BIGINT, the synthetic record's 0-based position in scan order
            - copies: BIGINT, train records equal to it (with unit, persons with such a record); 0 if there are none

        Notes
        -----
        Exact match with NULL and NaN equal to each other (IS NOT DISTINCT FROM).
        """

    def safe(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        dcr_below: float | None = None,
        nndr_below: float | None = None,
        false_discovery: float | None = None,
        attack: str | Sequence[str] = "agreement",
        k: int = 1,
        near_texts: bool = True,
        rounds: int = 1,
        copies_only: bool = False,
        until_safe: bool = False,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        spend: bool | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The synthetic table without the records that screen flags: its original columns, ready for CREATE TABLE AS.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw; without them, the baseline is train within itself.
        dcr_below : float, optional
            As in screen; at least 0.
        nndr_below : float, optional
            As in screen; at least 0.
        false_discovery : float, optional
            Flag the records that expose people of train, as in exposure (with releases, those that add somebody to
            them); by default nobody is searched for; above 0 and below 1.
        attack : sequence of str, default 'agreement'
            As in exposure; for uniques, every record with a replicated unique of an exposed person is flagged. Any of
            'all', 'distance', 'ratio', 'density', 'agreement', 'agreement_near', 'uniques', 'learned'.
        k : int, default 1
            As in exposure; at least 1.
        near_texts : bool, default True
            As in screen.
        rounds : int, default 1
            Number of rounds of searching for exposed people, each on the remaining records; at least 1 and at most 20.
        copies_only : bool, default False
            Remove only copies, and records at distance 0 of a real one: the same as dcr_below 0.
        until_safe : bool, default False
            Remove copies, then the records that carry most of whom attack names or gives away, a few at a time, until
            nobody is named and fewer than five are given away at the top of a list; reports the number of records and
            rounds. By default of attack, uniques and agreement name, and distance, density and agreement_near give
            away, too. With releases, people whom those before give away alone are left aside, as no change of this
            table protects them. Only in Python and on the command line, since it runs several statements.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        spend : bool, optional
            Whether release number k takes 6 / (pi k)^2 of false_discovery, so that the people named in all releases
            together stay below it; k is one more than the releases before. Yes with a history, no otherwise.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The table's own columns.

        Notes
        -----
        As screen.
        """

    def screen(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        dcr_below: float | None = None,
        nndr_below: float | None = None,
        false_discovery: float | None = None,
        attack: str | Sequence[str] = "agreement",
        k: int = 1,
        near_texts: bool = True,
        *,
        near: float = 0.005,
        width: int = 2,
        combinations: int = 2000,
        folds: int | None = None,
        metric: Literal["gower", "euclidean", "manhattan", "hamming"] = "gower",
        scaling: Literal["standard", "minmax", "robust", "none"] | None = None,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        text: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        category_mismatch: float = 1.0,
        vectors: Literal["euclidean", "cosine"] = "euclidean",
        key: str | None = None,
        unit: str | None = None,
        unit_score: Literal["mean", "max", "sum"] = "mean",
        shared_units: bool = False,
        seed: int = 0,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        spend: bool | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Every synthetic record with its distance to real records, and the reasons to remove it (the table without
        them: safe).

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw; without them, the baseline is train within itself.
        dcr_below : float, optional
            Flag records with a DCR below this; by default the 5th percentile of the baseline, with false_discovery 0.
            0: no limit, which flags only records at distance 0; at least 0.
        nndr_below : float, optional
            Flag records with an NNDR (second) below this; by default there is no limit; at least 0.
        false_discovery : float, optional
            Flag the records that expose people of train, as in exposure (with releases, those that add somebody to
            them); by default nobody is searched for; above 0 and below 1.
        attack : sequence of str, default 'agreement'
            As in exposure; for uniques, every record with a replicated unique of an exposed person is flagged. Any of
            'all', 'distance', 'ratio', 'density', 'agreement', 'agreement_near', 'uniques', 'learned'.
        k : int, default 1
            As in exposure; at least 1.
        near_texts : bool, default True
            Also flag records with names, addresses or notes that one person of train alone has, as they are or nearly,
            or with 8 of their words in a row, also in columns that are not compared (see docs/tasks/text.md); where the
            kernel is.
        near : float, default 0.005
            agreement_near: numbers and times also agree if their ranks among all real rows differ by at most this share
            of the rows; if it is not 0, texts also agree if they are nearly equal (see docs/tasks/text.md), in columns
            with more distinct values than half of all, most with more letters than digits; at least 0 and at most 0.5.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        folds : int, optional
            learned: the number of cross-validation folds; each fold is scored by classifiers trained on the others.
            Default: 5 for up to 20,000 people of both sides together, fewer where a fold would have less than 100
            people of a side; otherwise 2; at least 2 and at most 10.
        metric : {'gower', 'euclidean', 'manhattan', 'hamming'}, default 'gower'
            The distance, which combines the differences in all columns.
        scaling : {'standard', 'minmax', 'robust', 'none'}, optional
            How numbers are scaled, by statistics of train. Default: minmax for gower, standard for euclidean and
            manhattan.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        text : sequence of str, optional
            Columns of names, addresses or notes: distances leave them out, agreement_near compares them by nearness,
            and everything else as categories. auto: those with more distinct values than half of the rows of train and
            of the holdout, most with more letters than digits.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        category_mismatch : float, default 1.0
            The difference between two different categories (for euclidean: its square), before weighting; at least 0.
        vectors : {'euclidean', 'cosine'}, default 'euclidean'
            The distance between two vectors in a column of embeddings: euclidean (scaled like numbers) or cosine.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        unit_score : {'mean', 'max', 'sum'}, default 'mean'
            How the scores of a person's rows are combined into the person's score.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        spend : bool, optional
            Whether release number k takes 6 / (pi k)^2 of false_discovery, so that the people named in all releases
            together stay below it; k is one more than the releases before. Yes with a history, no otherwise.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            The table's own columns, in the order of record; then:

            - record: BIGINT, the record's 0-based position in scan order; renamed (record_1), like the columns below,
              if synthetic has a column of that name
            - dcr: DOUBLE, the distance to the closest train record
            - nndr: DOUBLE, nearest / second nearest distance; NULL if train has only one row
            - copies: BIGINT, train records equal to it
            - flagged: BOOLEAN, whether there is a reason to remove it
            - reasons: VARCHAR[], any of copy, dcr_zero (at distance 0, whatever the weights), dcr_below, nndr_below,
              exposing (people of train; with releases, alone, and none whom those before expose), adding (only together
              with those before), text (a text that one person of train alone has, as it is or nearly: in columns with
              more distinct values than half of all, most with more letters than digits, up to as many edits as bring
              back those of the holdout less than half as often), phrase (8 of their words or more in a row); person:
              with unit, another record of the same synthetic person is flagged
            - words: BIGINT, only with near_texts: the words of the longest run, of 8 to 64, that it shares with one
              person of train alone

        Notes
        -----
        Copies on the raw values; the limit of DCR is the 5th percentile of distances between real rows.
        """

    def sequence_fidelity(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        order: str | None = None,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        unit: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """How well synthetic preserves sequences: rows per person, transitions between categories, and autocorrelations
        of numbers.

        Parameters
        ----------
        synthetic : table
            The synthetic rows.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        order : str, optional
            The column of time or position that orders the rows of a person. Required, like unit; it is not compared.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - level: VARCHAR: persons, or column
            - columns: VARCHAR[], the name of the column; empty for persons
            - measure: VARCHAR: length_similarity (rows of a person), transition_similarity (pairs of a category and the
              one after it), lag_similarity (the correlation of a number or a time with the one after it)
            - value: DOUBLE, from 0 to 1 (identical); NULL if undefined, such as the correlation of a constant
            - holdout: DOUBLE, the same for the holdout; NULL without one

        Notes
        -----
        Complements of the Kolmogorov-Smirnov distance of sequence lengths and of the total variation distance of
        transitions; autocorrelation at lag 1: Box and Jenkins, Time Series Analysis (1970).
        """

    def shared_runs(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        order: str | None = None,
        length: int = 3,
        *,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        unit: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The longest run of equal rows that each synthetic person shares with a person of train, compared with persons
        of the holdout.

        Parameters
        ----------
        synthetic : table
            The synthetic rows.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: they show the length of runs shared by chance.
        order : str, optional
            The column of time or position that orders the rows of a person. Required, like unit; it is not compared.
        length : int, default 3
            The minimum number of rows in a run; shorter runs are ignored. If many rows share few values, a larger
            number is faster; at least 1 and at most 32.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - person: ANY, the synthetic person, in the type of the unit
            - shared: BIGINT, number of rows of the longest run shared with a person of train; 0 if none has the minimum
              length
            - record: BIGINT, the 0-based synthetic record at which the run starts; NULL if there is none
            - train_person: ANY, the real person with the same run; among several, the one whose run comes first
            - train_record: BIGINT, the 0-based train record at which the run starts
            - usual: BIGINT, the 99th percentile of the same length over the persons of the holdout; NULL without one
            - beyond: BOOLEAN, whether shared exceeds usual: at most 1 % of persons who were not in train share such a
              long run with it

        Notes
        -----
        Longest common substring of two sequences, by matches of pieces on one diagonal: Wilbur and Lipman, PNAS 80
        (1983).
        """

    def replay(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        near: bool = False,
        phrase: int | None = None,
        *,
        unit: str | None = None,
        shared_units: bool = False,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which values that one person alone has come back in synthetic, column by column: also in columns that are not
        compared, such as e-mail addresses.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        near : bool, default False
            Compare texts by nearness: without case and runs of blanks, and up to some edits (see docs/tasks/text.md);
            where the kernel is: DuckDB, beside it, and Spark.
        phrase : int, optional
            Also look at runs of words, of texts of 6 words or more in the median: so many, twice and three times as
            many; 4 is a good number; where the kernel is; at least 2 and at most 32.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - column_name: VARCHAR, each column that the tables share, except vectors
            - kind: VARCHAR, what most of these values look like: email, phone (see told_by), iban and card (both by
              their check digits), ip, url, uuid, date, number, name-like, text or other; phrase, only with phrase, in a
              row of its own: runs of words, where persons are counted who have one that nobody else has; running for
              numbers of rows, whose return is no evidence
            - train: BIGINT, values that one record of train, or person, alone has among all real ones; with near,
              nobody else has one near it either
            - replayed: BIGINT, those of them that synthetic has, exactly; with near, those of texts that have one near
              them
            - holdout: BIGINT, the same of the holdout
            - holdout_replayed: BIGINT, those of them that synthetic has
            - excess: DOUBLE, the share of train's that come back, less the share of the holdout's
            - p_value: DOUBLE, one-sided: the probability that at least so many of those that come back are of train
              (hypergeometric); NULL without a holdout, and for running numbers
            - p_adjusted: DOUBLE, the same, adjusted for the number of columns (Holm)
            - records: BIGINT, synthetic records with such a value of train
            - edits: BIGINT, only with near, for texts: up to how many edits values are counted as coming back: of 0
              (but for case and blanks), 1 and as many as nearness allows (20, in long texts), what tells train from the
              holdout best; p_value counts these three
            - words: BIGINT, only with phrase, for phrases: the number of words of the runs that are counted; that which
              tells train from the holdout best
            - told_by: VARCHAR, of phone: phonenumbers if that library says so of most of these values (in DuckDB, if it
              is installed), else rule: 7 to 22 digits and separators that begin with +, ( or 0, or 555-555-5555; NULL
              for other kinds

        Notes
        -----
        Of the values that one person alone has among all real ones, as many of train as of the holdout come back by
        chance: hypergeometric, Holm over columns.
        """

    def replay_sets(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        *,
        width: int = 2,
        combinations: int = 2000,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        key: str | None = None,
        unit: str | None = None,
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Which columns together give people away: for each set of columns, how many people have a combination of
        values that nobody else has, and that synthetic has, too.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - columns: VARCHAR[], the set of columns; first the set that tells train from the holdout best; sets in
              which nobody's combination comes back have no rows, nor have sets of several columns with one that has one
              value in train and the holdout: they say no more than the others
            - width: BIGINT, the number of these columns
            - train: BIGINT, people of train (records, or persons with unit)
            - replayed: BIGINT, those of them with a combination of these values that no other real person has, and that
              a synthetic record has
            - holdout: BIGINT, people of the holdout
            - holdout_replayed: BIGINT, those of them with such a combination: they come back by chance
            - excess: DOUBLE, the share of train's that come back, less the share of the holdout's
            - p_value: DOUBLE, one-sided: the probability that at least so many of the people whose combinations come
              back are of train (hypergeometric); NULL without a holdout
            - p_adjusted: DOUBLE, the same, adjusted for the number of sets (Holm)

        Notes
        -----
        Of the people whose combination comes back, as many are of train as chance puts there: hypergeometric over all
        people, Holm over sets.
        """

    def uniques(
        self,
        synthetic: Table,
        train: Table,
        holdout: Table | None = None,
        phrase: int | None = None,
        *,
        width: int = 2,
        combinations: int = 2000,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        key: str | None = None,
        unit: str | None = None,
        shared_units: bool = False,
        order: str | None = None,
        length: int = 3,
        releases: Sequence[Table | Mapping[str, Table]] | Mapping[str, Table | Mapping[str, Table]] | None = None,
        history: str | None = None,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """The smallest combinations of values that only one person has, and that also occur in a synthetic record.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        train : table
            The real rows that the synthesizer saw.
        holdout : table, optional
            Real rows that it never saw: they count for uniqueness, and show what is replicated by chance.
        phrase : int, optional
            Also look at so many words in a row, or more, in columns whose texts have 6 words or more in the median; 4
            is a good number, from 8 on it is hardly chance; where the kernel is: DuckDB, beside it, and Spark; at least
            2 and at most 32.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        shared_units : bool, default False
            Allow units that occur in both train and the holdout; by default they are an error.
        order : str, optional
            With unit: a column that orders the rows of a person, such as a time. Runs of rows are then compared instead
            of single rows: each column by its values in order. The column order itself is not compared. In SQL the name
            of this parameter must be quoted, as it is a keyword.
        length : int, default 3
            With order: the number of consecutive rows in a run. Rows with equal times are ordered by all columns; rows
            without a time are in no run; at least 2 and at most 8.
        releases : sequence of table, or mapping of str to table; with children a mapping of str to table for a table, optional
            Further synthetic tables of the same people, released before (a list of tables, or tables by name): attacks
            then use all of them together with synthetic, the newest. Their columns may differ; a table is compared by
            those that it has. With children, a release is its tables by name: synthetic, that of the parents, and those
            of children.
        history : str, optional
            A .duckdb file to which evaluations were appended: the tables released before are those that it remembers,
            and need not be named in releases. In Python and on the command line.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - side: VARCHAR, train or holdout: the table of the record
            - person: ANY, only with unit: the person, in the type of the unit
            - record: BIGINT, the record's 0-based position in scan order (for a run, of its first row); for a person,
              the first record of most of its replicated uniques
            - columns: VARCHAR[], columns in which no other real record, or person, has the same values; only the
              smallest such combinations of each record
            - synthetic: BIGINT, the first synthetic record that has these values
            - release: VARCHAR, only with releases: the table whose record synthetic is: synthetic for the newest,
              otherwise its name in releases
            - also: BIGINT, number of synthetic records with these values
            - words: BIGINT, only with phrase, for runs of words: how many words in a row of this column, up to 64,
              nobody else has; synthetic and also are of records with as many of the person's. NULL for values

        Notes
        -----
        Sample uniques of statistical disclosure control: Elliot, Manning and Ford, International Journal of
        Uncertainty, Fuzziness and Knowledge-Based Systems 10 (2002).
        """

    def within(
        self,
        synthetic: Table,
        real: Table,
        *,
        width: int = 2,
        combinations: int = 2000,
        columns: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        numeric: Sequence[str] | None = None,
        categorical: Sequence[str] | None = None,
        weights: Mapping[str, float] | None = None,
        key: str | None = None,
        unit: str | None = None,
        seed: int = 0,
        group_by: Sequence[str] | None = None,
        strict_groups: bool = False,
        csv: Mapping[str, Any] | None = None,
        json: Sequence[str] | None = None,
        auto_cast: bool = False,
        exclude_unsupported: bool = False,
        progress: Progress | bool | None = None,
        pushdown: Literal["auto", "require"] | None = None,
        **unknown: Never,
    ) -> Result:
        """Does synthetic repeat what makes people unique more often than other real people do? Evidence of a leak
        without a holdout.

        Parameters
        ----------
        synthetic : table
            The synthetic table.
        real : table
            real rows: train; or the holdout, to see whether the synthesizer saw it; in SQL on DuckDB 1, "real" in
            quotes.
        width : int, default 2
            uniques: the maximum number of columns in a combination; at least 1 and at most 4.
        combinations : int, default 2000
            uniques: the maximum number of combinations; those whose columns have the most distinct values are chosen;
            at least 1.
        columns : sequence of str, optional
            The only columns to compare.
        exclude : sequence of str, optional
            Columns to leave out of the comparison.
        numeric : sequence of str, optional
            Columns to compare as numbers, whatever their type.
        categorical : sequence of str, optional
            Columns to compare as categories, whatever their type.
        weights : mapping of str to float, optional
            Weights of columns; the default weight is 1.
        key : str, optional
            The column that identifies records: not compared, and shown next to record numbers, if any.
        unit : str, optional
            A column that identifies the person of each row; persons are then counted instead of rows. It is never
            compared.
        seed : int, default 0
            The seed of the random numbers: the same seed and tables give the same result; at least 0 and at most 2^63 -
            1.
        group_by : sequence of str, optional
            Columns such as a region or a month: the function is run separately for each combination of their values.
            They come first in the result, and are not compared.
        strict_groups : bool, default False
            With group_by: raise an error for a group without rows in one of the tables. By default it gets a row
            without numbers, and the last column, reason, says why.
        csv : mapping of str to str, int, bool, list of str, or, for a table, such a mapping, optional
            How CSV files are read: encoding, delimiter, quote, decimal, thousands, dates (a format such as %d.%m.%Y),
            missing (texts that mean a missing value), header (yes or no), skip (lines), sample (lines for type
            inference, or all). Options for a single table are given under its name.
        json : sequence of str, optional
            Columns of JSON, structs, maps and lists to read as columns of one level: a key becomes the column
            COLUMN_KEY, a list the set of its elements, and what is nested deeper its text. all: all such columns. In
            DuckDB, PostgreSQL and Spark.
        auto_cast : bool, default False
            If a column is text in one table and has numbers or times in another, cast the text to that type, provided
            that all of its values can be cast. A warning names these columns.
        exclude_unsupported : bool, default False
            Leave out columns that cannot be compared, with a warning: types without a distance, infinite values, and
            columns that another table lacks or has with a different type.
        progress : callable or bool, optional
            Called with (done, total, label) while the function runs; True shows a bar.
        pushdown : {'auto', 'require'}, optional
            require: an error where rows would leave the database, other than the result; that of the session where not
            given.

        Returns
        -------
        Result
            Columns:

            - people: BIGINT, the people of one half of real, drawn by seed: records, or persons with unit
            - replicated: BIGINT, the sum over them of combinations of values that nobody else of their half has, and
              that synthetic rows have: as many rows, drawn by seed, as the other half has
            - control: BIGINT, the same in the rows of the other half: how often real people repeat each other
            - ratio: DOUBLE, replicated / control; infinite if only control is 0, NULL if both are
            - z: DOUBLE, (replicated - control) / its standard deviation when rows change sides at random; at most 0 is
              what tables give that were made without these people
            - p_value: DOUBLE, one-sided, from 999 exchanges; the normal approximation by z if no exchange gives as
              large a difference
            - at_least: BIGINT, at 95 %: at least this many of these people are repeated more often than real people
              repeat each other; assumes that a table made without them repeats rare values no more often than real
              people do
            - listed: BIGINT, the people among whom these are: those with the largest differences

        Notes
        -----
        Uniques of one half of the real people, counted in synthetic rows and in as many rows of the other half; the
        rows of both are exchanged at random, in pairs.
        """
